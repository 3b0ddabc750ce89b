// SPDX-License-Identifier: Apache-2.0
// A part of the grid: the rows and columns around a contact that covers little of the grid
// (THEORY.md 8.3). Coefficients depend on differences of positions only, so that a window of a grid
// is a grid like any other.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

struct GridWindow {
  int x = 0;  // place of its first element on the grid
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

// The least window with all elements whose mark is not 0; empty where none has one.
GridWindow window_around(const Grid& grid, const std::vector<unsigned char>& marks);

// The least window with both; an empty one has no say.
GridWindow window_around(const GridWindow& a, const GridWindow& b);

// Its sides moved outwards by `elements`, as far as the grid goes; an empty one stays empty.
GridWindow widened(const GridWindow& window, const Grid& grid, int elements);

// Its sides moved outwards by up to a sixteenth of its length, so that a contact that changes a
// little keeps its window.
GridWindow rounded_outwards(const GridWindow& window, const Grid& grid);

// Smaller grids gain nothing; nor do windows of more than `part` of the grid.
inline constexpr std::size_t kLeastForWindows = 2304;
inline bool window_pays(const GridWindow& window, const Grid& grid, double part) {
  return !window.empty() && grid.boundary == Boundary::free && grid.count() >= kLeastForWindows &&
         static_cast<double>(window.count()) <= part * static_cast<double>(grid.count());
}

Grid grid_of(const GridWindow& window, const Grid& grid);

}  // namespace slipfield
