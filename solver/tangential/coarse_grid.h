// SPDX-License-Identifier: Apache-2.0
// Where the tangential problem of a step starts from its solution on a grid of twice the spacing.
#pragma once

#include "solver/grid.h"

namespace slipfield {

inline bool coarse_start_pays(const Grid& grid) {
  constexpr int kLeast = 48;  // elements in a row and in a column
  const bool divisible = grid.boundary == Boundary::free || (grid.mx % 2 == 0 && grid.my % 2 == 0);
  return divisible && grid.mx >= kLeast && grid.my >= kLeast;
}

// Twice the element size, in a direction of one element the same.
inline Grid coarsen(const Grid& fine) {
  Grid grid = fine;
  grid.mx = (fine.mx + 1) / 2;
  grid.my = (fine.my + 1) / 2;
  if (fine.mx > 1) grid.dx = 2.0 * fine.dx;
  if (fine.my > 1) grid.dy = 2.0 * fine.dy;
  return grid;
}

}  // namespace slipfield
