// SPDX-License-Identifier: Apache-2.0
// Whether the bodies come closer beyond the edge of the grid, as a saddle's do.
#pragma once

#include <optional>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

// Principal curvatures k [1/length] of the undeformed distance, h = k s^2 along their directions s.
struct EdgeCurvature {
  double least = 0.0;
  double greatest = 0.0;
  double rounding = 0.0;  // of both, by that of the distances
};

// By the 3 x 3 elements at the deepest one, where that lies on the edge of the grid. Nothing where
// it lies inside, where the grid is narrower, or where nothing can touch next to it.
std::optional<EdgeCurvature> edge_curvature(const std::vector<double>& distance, const Grid& grid);

}  // namespace slipfield
