// SPDX-License-Identifier: Apache-2.0
// The roughness of heights. The Python package has the same numbers, and more, of files of any
// format: app/python/slipfield/surface/measures.py.
#pragma once

#include <vector>

#include "solver/grid.h"

namespace slipfield {

struct HeightMeasures {
  double rms_height = 0.0;     // [length], about the mean
  double rms_slope = 0.0;      // of the gradient, from one element to the next
  double rms_curvature = 0.0;  // [1/length], of (z_xx + z_yy)/2; on one row of z_xx
};

// Heights at the element centres, x fastest; what is not finite is left out, with all differences
// that need it. On a periodic grid differences are also taken across its edges.
HeightMeasures measure_heights(const std::vector<double>& heights, const Grid& grid);

}  // namespace slipfield
