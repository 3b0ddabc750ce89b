// SPDX-License-Identifier: Apache-2.0
// The group /series of a result: its fields side by side, (step, y, x), made of those of the steps
// where they are.
#pragma once

#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/axes/axes.h"
#include "io/result/vtk.h"
#include "solver/problem.h"

namespace slipfield {

inline constexpr std::string_view kSeriesGroup = "series";

// `step` alone where no step has a field. Throws Hdf5Error.
void write_series(hid_t root, const Grid& grid, const std::vector<WrittenStep>& steps,
                  ResultAxes& axes);

}  // namespace slipfield
