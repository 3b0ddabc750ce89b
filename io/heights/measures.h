// SPDX-License-Identifier: Apache-2.0
// The roughness of heights. The Python package computes the same and more from files of any format:
// app/python/slipfield/surface/measures.py.
#pragma once

#include <vector>

#include "solver/grid.h"

namespace slipfield {

struct HeightMeasures {
  double rms_height = 0.0;     // [length], about the mean
  double rms_slope = 0.0;      // of the gradient between neighbouring elements
  double rms_curvature = 0.0;  // [1/length], of (z_xx + z_yy)/2; of z_xx on one row
};

// Heights at the element centres, x fastest. Values that are not finite are skipped, with all
// differences that need them. On a periodic grid differences also cross its edges.
HeightMeasures measure_heights(const std::vector<double>& heights, const Grid& grid);

}  // namespace slipfield
