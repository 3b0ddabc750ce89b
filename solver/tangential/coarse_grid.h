// SPDX-License-Identifier: Apache-2.0
// Where the tangential problem of a step starts from its solution on a grid of twice the spacing.
#pragma once

#include "solver/grid.h"

namespace slipfield {

// least: elements in a row and in a column.
inline bool coarse_start_pays(const Grid& grid, int least = 48) {
  const bool keeps_x = !repeats_in_x(grid.boundary) || grid.mx % 2 == 0;
  const bool keeps_y = !repeats_in_y(grid.boundary) || grid.my % 2 == 0;
  return keeps_x && keeps_y && grid.mx >= least && grid.my >= least;
}

// The same where a backend has a least number of its own.
template <class Backend>
bool coarse_start_pays_on(const Grid& grid) {
  if constexpr (requires { Backend::kLeastForCoarseStart; })
    return coarse_start_pays(grid, Backend::kLeastForCoarseStart);
  else
    return coarse_start_pays(grid);
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
