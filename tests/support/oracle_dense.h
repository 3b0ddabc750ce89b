// SPDX-License-Identifier: Apache-2.0
// Displacements by direct summation, written without any of the solver's products: from
// influence_coefficient() alone. For small grids.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/influence/influence_coefficients.h"
#include "tests/support/oracle_difference.h"
#include "tests/support/oracle_halfspace.h"

namespace slipfield::test {

// The greatest of the values so far; no NaN passes for a small one.
inline void grow(double& worst, double value) {
  if (!(value <= worst)) worst = std::isnan(value) ? HUGE_VAL : value;
}

// Coefficients of a grid at all differences of positions, seen from offset_x, offset_y further on.
class DenseInfluence {
 public:
  DenseInfluence(const Grid& grid, const CombinedMaterial& material, double offset_x = 0.0,
                 double offset_y = 0.0)
      : mx_(grid.mx), my_(grid.my), width_(2 * mx_ - 1) {
    for (int c = 0; c < kComponents; ++c) {
      std::vector<double>& table = tables_[static_cast<std::size_t>(c)];
      for (int ky = 1 - my_; ky < my_; ++ky) {
        for (int kx = 1 - mx_; kx < mx_; ++kx) {
          table.push_back(influence_coefficient(static_cast<Component>(c), kx * grid.dx + offset_x,
                                                ky * grid.dy + offset_y, grid.dx, grid.dy,
                                                material));
        }
      }
    }
  }

  // u_a kx, ky elements away from an element under unit traction b.
  [[nodiscard]] double at(Axis a, Axis b, int kx, int ky) const {
    const auto value = [&](Component c) {
      return tables_[static_cast<std::size_t>(c)]
                    [static_cast<std::size_t>((ky + my_ - 1) * width_ + kx + mx_ - 1)];
    };
    if (a == Axis::n && b == Axis::n) return value(Component::nn);
    if (a == Axis::n) return -value(b == Axis::x ? Component::xn : Component::yn);
    if (b == Axis::n) return value(a == Axis::x ? Component::xn : Component::yn);
    if (a != b) return value(Component::xy);
    return value(a == Axis::x ? Component::xx : Component::yy);
  }

  // u_a of tractions b, element by element.
  [[nodiscard]] std::vector<double> apply(Axis a, Axis b,
                                          const std::vector<double>& traction) const {
    std::vector<double> u(traction.size(), 0.0);
    for (int jy = 0; jy < my_; ++jy) {
      for (int jx = 0; jx < mx_; ++jx) {
        const double p = traction[static_cast<std::size_t>(jy * mx_ + jx)];
        if (p == 0.0) continue;
        for (int iy = 0; iy < my_; ++iy) {
          for (int ix = 0; ix < mx_; ++ix) {
            u[static_cast<std::size_t>(iy * mx_ + ix)] += at(a, b, ix - jx, iy - jy) * p;
          }
        }
      }
    }
    return u;
  }

 private:
  int mx_;
  int my_;
  int width_;
  std::array<std::vector<double>, kComponents> tables_;
};

inline std::vector<double> sum_of(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double norm(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }

}  // namespace slipfield::test
