// SPDX-License-Identifier: Apache-2.0
// A part of the grid: the rows and columns around a contact that covers little of it (THEORY.md
// 8.3). Coefficients depend only on differences of positions, so that a window is a grid like any
// other.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

struct GridWindow {
  int x = 0;  // index of its first element on the grid
  int y = 0;
  int mx = 0;
  int my = 0;

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(mx) * static_cast<std::size_t>(my);
  }
  [[nodiscard]] bool empty() const { return mx == 0 || my == 0; }
  [[nodiscard]] bool holds(const GridWindow& part) const {
    return part.x >= x && part.y >= y && part.x + part.mx <= x + mx && part.y + part.my <= y + my;
  }
  friend bool operator==(const GridWindow& a, const GridWindow& b) {
    return a.x == b.x && a.y == b.y && a.mx == b.mx && a.my == b.my;
  }
};

// The smallest window with all elements whose mark is not 0; empty if there are none.
GridWindow window_around(const Grid& grid, const std::vector<unsigned char>& marks);

// The smallest window that contains both; an empty one is ignored.
GridWindow window_around(const GridWindow& a, const GridWindow& b);

// Moves the sides outwards by `elements`, within the grid; an empty window stays empty.
GridWindow widened(const GridWindow& window, const Grid& grid, int elements);

// Moves the sides outwards by up to a sixteenth of the length, so that a contact that changes a
// little keeps its window.
GridWindow rounded_outwards(const GridWindow& window, const Grid& grid);

// The greatest part of a grid that a window may have for it to pay, 0 if none does: `part` of a
// free grid of at least kLeastForWindows elements. by_elements: the time of a product follows from
// the grid's elements, neither from those under load nor from launches. Windows then pay on smaller
// grids: a third of the processor time of a wheel's contacts, 400 of 1,300 elements.
inline constexpr std::size_t kLeastForWindows = 2304;
inline constexpr std::size_t kLeastByElements = 600;
inline constexpr double kMostOfSmallGrid = 0.7;
inline double most_of_grid(const Grid& grid, double part, bool by_elements) {
  if (grid.boundary != Boundary::free) return 0.0;
  if (grid.count() >= kLeastForWindows) return part;
  return by_elements && grid.count() >= kLeastByElements ? kMostOfSmallGrid : 0.0;
}
inline bool window_pays(const GridWindow& window, const Grid& grid, double part, bool by_elements) {
  return !window.empty() &&
         static_cast<double>(window.count()) <=
             most_of_grid(grid, part, by_elements) * static_cast<double>(grid.count());
}

Grid grid_of(const GridWindow& window, const Grid& grid);

}  // namespace slipfield
