// SPDX-License-Identifier: Apache-2.0
// What multilevel summation (THEORY.md 4.8) forms on a coarse grid: the smooth part of the
// coefficients A_nn of a half-space, and the weights of the places of that grid that interpolate
// it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

constexpr std::size_t to_count(int value) { return static_cast<std::size_t>(value); }

// 1/R from `reach` on, below it the polynomial in R^2 that meets 1/R there with `smoothness`
// derivatives (the series of (1 - t)^(-1/2)/reach in t = 1 - (R/reach)^2); integrated over an
// element and divided by pi E*.
class SmoothPart {
 public:
  SmoothPart(const Grid& grid, double contact_modulus, double reach, int smoothness)
      : contact_modulus_(contact_modulus),
        dx_(grid.dx),
        dy_(grid.dy),
        reach_(reach),
        smoothness_(smoothness) {}

  [[nodiscard]] double reach() const { return reach_; }
  // A_nn at (x, y).
  [[nodiscard]] double half_space(double x, double y) const;
  // Whether A_nn is smooth at (x, y) >= 0 as it is.
  [[nodiscard]] bool is_beyond(double x, double y) const;
  // The smooth part at (x, y) >= 0.
  [[nodiscard]] double smooth(double x, double y) const;
  // The smooth part at the differences of positions on a coarse grid.
  [[nodiscard]] InfluenceTable table(const Grid& coarse) const;

 private:
  [[nodiscard]] double smooth_at(double squared) const;

  double contact_modulus_;
  double dx_;
  double dy_;
  double reach_;
  int smoothness_;
};

// The coarse grid with a place at every stride-th element, from order/2 - 1 places before the
// first; elements are interpolated from `order` places in each direction.
inline Grid grid_of_places(const Grid& grid, int stride, int order) {
  Grid coarse = grid;
  coarse.mx = (grid.mx - 1) / stride + order;
  coarse.my = (grid.my - 1) / stride + order;
  coarse.dx = stride * grid.dx;
  coarse.dy = stride * grid.dy;
  return coarse;
}

// Lagrange's polynomials at each element of a stride.
template <std::size_t Order>
std::vector<std::array<double, Order>> weights_of_places(int stride) {
  constexpr int kOrder = static_cast<int>(Order);
  constexpr int kBefore = kOrder / 2 - 1;  // places before an element's own
  std::vector<std::array<double, Order>> weights;
  for (int place = 0; place < stride; ++place) {
    const double at_place = static_cast<double>(place) / stride + kBefore;
    std::array<double, Order>& of_place = weights.emplace_back();
    for (int i = 0; i < kOrder; ++i) {
      double& weight = of_place[static_cast<std::size_t>(i)];
      weight = 1.0;
      for (int j = 0; j < kOrder; ++j)
        if (j != i) weight *= (at_place - j) / (i - j);
    }
  }
  return weights;
}

}  // namespace slipfield
