// SPDX-License-Identifier: Apache-2.0
// The totals of a sequence over its steps, as curves.
#pragma once

#include <cstddef>
#include <string>

#include "app/plot/sweep.h"
#include "io/result/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

// A table with a row for each step that the file holds, and "step" for its key.
SweepTable table_of_steps(const ResultFile& result);

// The steps as the points of a sweep, and what its figure needs: `request` gets the axis, and where
// it has no quantities the forces and motions that change along the way. Throws InputError where
// the file has one step only.
SweepFile curves_over_steps(const ResultFile& result, SweepFigureRequest& request);

}  // namespace slipfield
