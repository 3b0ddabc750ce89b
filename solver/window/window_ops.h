// SPDX-License-Identifier: Apache-2.0
// Element operations between a grid and a window of it (THEORY.md 8.3).
#pragma once

#include <cstddef>

#include "solver/fields/tangential_ops.h"
#include "solver/host_device.h"
#include "solver/window/grid_window.h"

namespace slipfield {

struct WindowPlace {
  std::size_t grid_mx = 1;
  std::size_t x = 0;
  std::size_t y = 0;
  std::size_t mx = 1;
  std::size_t my = 1;
  std::size_t first_row = 0;  // first grid row of the fields, for find() on some rows only

  // The index on the grid of an element of the window.
  SLIPFIELD_HD std::size_t on_grid(std::size_t i) const {
    return (y + i / mx) * grid_mx + x + i % mx;
  }
  // Whether an element of the grid is in the window; place: its index there.
  SLIPFIELD_HD bool find(std::size_t i, std::size_t& place) const {
    const std::size_t ix = i % grid_mx;
    const std::size_t iy = first_row + i / grid_mx;
    if (ix < x || iy < y || ix >= x + mx || iy >= y + my) return false;
    place = (iy - y) * mx + ix - x;
    return true;
  }
};

inline WindowPlace place_of(const GridWindow& window, const Grid& grid) {
  return {static_cast<std::size_t>(grid.mx), static_cast<std::size_t>(window.x),
          static_cast<std::size_t>(window.y), static_cast<std::size_t>(window.mx),
          static_cast<std::size_t>(window.my)};
}

// Copies fields of the grid to the window. Runs over the window; the second pair may be null.
struct CutOut {
  WindowPlace window;
  const double* from = nullptr;
  double* to = nullptr;
  const double* second_from = nullptr;
  double* second_to = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const std::size_t j = window.on_grid(i);
    to[i] = from[j];
    if (second_from != nullptr) second_to[i] = second_from[j];
  }
};

// Copies fields of the window to the grid, 0 outside the window. Runs over the grid; the second
// pair may be null.
struct PutBack {
  WindowPlace window;
  const double* from = nullptr;
  double* to = nullptr;
  const double* second_from = nullptr;
  double* second_to = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    std::size_t j = 0;
    const bool inside = window.find(i, j);
    to[i] = inside ? from[j] : 0.0;
    if (second_from != nullptr) second_to[i] = inside ? second_from[j] : 0.0;
  }
};

// Cuts out the tangential problem except tractions, slip and base.
struct CutOutContact {
  WindowPlace window;
  TangentialFields grid;
  double* bound = nullptr;
  unsigned char* state = nullptr;
  double* fraction = nullptr;  // null if the grid's is null
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const std::size_t j = window.on_grid(i);
    bound[i] = grid.bound[j];
    state[i] = grid.state[j];
    if (fraction != nullptr) fraction[i] = grid.fraction[j];
  }
};

// Copies the division of the window to the grid; exterior outside. Runs over the grid.
struct PutBackDivision {
  WindowPlace window;
  const unsigned char* from = nullptr;
  unsigned char* to = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    std::size_t j = 0;
    to[i] = window.find(i, j) ? from[j] : static_cast<unsigned char>(ElementState::exterior);
  }
};

struct Overlap {
  double depth = 0.0;  // sum of approach - h where that is positive
  double count = 0.0;
};

// Measures the overlap of the undeformed bodies at an approach.
struct MeasureOverlap {
  static constexpr int kSums = 2;
  const double* distance = nullptr;
  double approach = 0.0;
  Overlap* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double depth = approach - distance[i];
    if (!(depth > 0.0)) return;
    sums[0] += depth;
    sums[1] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out->depth = sums[0];
    out->count = sums[1];
  }
};

// Marks elements with a negative gap, and counts those outside the window. displacement: null for
// undeformed bodies.
struct MarkOverlap {
  static constexpr int kSums = 1;
  WindowPlace window;
  const double* distance = nullptr;
  const double* displacement = nullptr;
  double approach = 0.0;
  unsigned char* mark = nullptr;
  double* outside = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double u = displacement != nullptr ? displacement[i] : 0.0;
    const bool overlaps = distance[i] + u - approach < 0.0;
    mark[i] = overlaps ? 1 : 0;
    std::size_t j = 0;
    if (overlaps && !window.find(i, j)) sums[0] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *outside = sums[0]; }
};

}  // namespace slipfield
