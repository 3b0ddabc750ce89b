// SPDX-License-Identifier: Apache-2.0
#include "solver/normal/smooth_part.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/influence/influence_coefficients.h"
#include "solver/threads/team_work.h"

namespace slipfield {

double SmoothPart::half_space(double x, double y) const {
  const CombinedMaterial material{.shear_modulus = contact_modulus_};  // with nu = 0
  return influence_coefficient(Component::nn, x, y, dx_, dy_, material);
}

double SmoothPart::smooth_at(double squared) const {
  const double t = 1.0 - squared / (reach_ * reach_);
  if (t <= 0.0) return 1.0 / std::sqrt(squared);
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; k <= smoothness_; ++k) {
    term *= t * (k - 0.5) / k;
    sum += term;
  }
  return sum / reach_;
}

bool SmoothPart::is_beyond(double x, double y) const {
  const double nearest_x = std::max(x - 0.5 * dx_, 0.0);
  const double nearest_y = std::max(y - 0.5 * dy_, 0.0);
  return nearest_x * nearest_x + nearest_y * nearest_y >= reach_ * reach_;
}

double SmoothPart::smooth(double x, double y) const {
  if (is_beyond(x, y)) return half_space(x, y);
  // Gauss's rule for half an element, exact to (dx/reach)^6.
  constexpr std::array<double, 3> kPlaces = {-0.7745966692414834, 0.0, 0.7745966692414834};
  constexpr std::array<double, 3> kWeights = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double at_x = x + 0.5 * dx_ * kPlaces[i];
      const double at_y = y + 0.5 * dy_ * kPlaces[j];
      sum += kWeights[i] * kWeights[j] * smooth_at(at_x * at_x + at_y * at_y);
    }
  }
  return sum * 0.25 * dx_ * dy_ / (std::numbers::pi * contact_modulus_);
}

InfluenceTable SmoothPart::table(const Grid& coarse) const {
  InfluenceTable table{coarse.mx, coarse.my, {}, true};
  table.values.resize(table.size());
  constexpr double kOfCoefficient = 1.5e-7;  // seconds
  const TeamWork work(true, kOfCoefficient * static_cast<double>(coarse.count()));
#pragma omp parallel for schedule(dynamic, 4) if (work.by_all())
  for (int ky = 0; ky < coarse.my; ++ky)
    for (int kx = 0; kx < coarse.mx; ++kx)
      table.values[table.place(kx, ky)] = table.values[table.place(-kx, ky)] =
          smooth(kx * coarse.dx, ky * coarse.dy);
  return table;
}

}  // namespace slipfield
