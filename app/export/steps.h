// SPDX-License-Identifier: Apache-2.0
// The totals of a sequence over its steps, as a table.
#pragma once

#include <cstddef>
#include <string>

#include "io/result/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

// A table with a row for each step that the file holds, and "step" for its key.
SweepTable table_of_steps(const ResultFile& result);

}  // namespace slipfield
