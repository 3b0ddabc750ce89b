// SPDX-License-Identifier: Apache-2.0
#include "solver/window/grid_window.h"

#include <algorithm>
#include <bit>

namespace slipfield {
namespace {

// Rounds the range [first, first + count) outwards, within [0, end).
void round_side(int& first, int& count, int end) {
  const auto unit =
      static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(count / 16, 1))));
  const int last = std::min(end, (first + count + unit - 1) / unit * unit);
  first = first / unit * unit;
  count = last - first;
}

}  // namespace

GridWindow window_around(const Grid& grid, const std::vector<unsigned char>& marks) {
  int left = grid.mx;
  int right = 0;
  int bottom = grid.my;
  int top = 0;
  for (int iy = 0; iy < grid.my; ++iy) {
    const auto row = marks.begin() + static_cast<std::ptrdiff_t>(grid.index(0, iy));
    const auto end = row + grid.mx;
    const auto first = std::find_if(row, end, [](unsigned char mark) { return mark != 0; });
    if (first == end) continue;
    left = std::min(left, static_cast<int>(first - row));
    int last = grid.mx;
    while (last > right && row[last - 1] == 0) --last;
    right = std::max(right, last);
    bottom = std::min(bottom, iy);
    top = iy + 1;
  }
  if (top == 0) return {};
  return {left, bottom, right - left, top - bottom};
}

GridWindow window_around(const GridWindow& a, const GridWindow& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  GridWindow hull{std::min(a.x, b.x), std::min(a.y, b.y), 0, 0};
  hull.mx = std::max(a.x + a.mx, b.x + b.mx) - hull.x;
  hull.my = std::max(a.y + a.my, b.y + b.my) - hull.y;
  return hull;
}

GridWindow widened(const GridWindow& window, const Grid& grid, int elements) {
  if (window.empty()) return window;
  GridWindow result;
  result.x = std::max(0, window.x - elements);
  result.y = std::max(0, window.y - elements);
  result.mx = std::min(grid.mx, window.x + window.mx + elements) - result.x;
  result.my = std::min(grid.my, window.y + window.my + elements) - result.y;
  return result;
}

GridWindow rounded_outwards(const GridWindow& window, const Grid& grid) {
  GridWindow result = window;
  round_side(result.x, result.mx, grid.mx);
  round_side(result.y, result.my, grid.my);
  return result;
}

Grid grid_of(const GridWindow& window, const Grid& grid) {
  Grid part = grid;
  part.mx = window.mx;
  part.my = window.my;
  part.x0 = grid.x0 + window.x * grid.dx;
  part.y0 = grid.y0 + window.y * grid.dy;
  return part;
}

}  // namespace slipfield
