// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/simplified_theory.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipfield {

namespace {

Flexibilities of_kalker(const SimplifiedContact& contact, const KalkerCoefficients& kalker,
                        const Creepages& creepages) {
  const double a = contact.semi_axis_x;
  const double b = contact.semi_axis_y;
  const double shear = contact.shear_modulus;
  Flexibilities l;
  l.x = 8.0 * a / (3.0 * kalker.c11 * shear);
  l.y = 8.0 * a / (3.0 * kalker.c22 * shear);
  l.spin = std::numbers::pi * a * std::sqrt(a / b) / (4.0 * kalker.c23 * shear);
  const double x2 = creepages.x * creepages.x;
  const double y2 = creepages.y * creepages.y;
  if (x2 + y2 == 0.0) return l;
  const double limit = contact.friction * contact.normal_force / (a * b * shear);
  const double limit2 =
      limit * limit * (1.0 / (kalker.c11 * kalker.c11) + 1.0 / (kalker.c22 * kalker.c22));
  const double weight = std::min(1.0, std::sqrt((x2 + y2) / limit2) / 3.0);
  const double r = 3.0 * std::numbers::pi * a * creepages.spin / 32.0;
  const double mean = (x2 + y2 + r * r) / (x2 / l.x + y2 / l.y + r * r / l.spin);
  for (double* flexibility : {&l.x, &l.y, &l.spin}) *flexibility += weight * (mean - *flexibility);
  return l;
}

// k: how much stiffer the surfaces answer than in the linear theory.
double reduction(const SimplifiedContact& contact, const KalkerCoefficients& kalker,
                 const Creepages& creepages) {
  const auto [initial, rest, decay] = contact.slope;
  if (decay == 0.0 || contact.friction == 0.0) return initial;
  const double a = contact.semi_axis_x;
  const double across = std::max(std::abs(creepages.y), std::abs(creepages.y + creepages.spin * a));
  const double eps = contact.shear_modulus * std::numbers::pi * a * contact.semi_axis_y * initial *
                     kalker.c11 * std::hypot(creepages.x, across) /
                     (4.0 * contact.friction * contact.normal_force);
  return initial * (rest + (1.0 - rest) / (1.0 + decay * eps));
}

}  // namespace

Flexibilities flexibilities(const SimplifiedContact& contact, const KalkerCoefficients& kalker,
                            const Creepages& creepages) {
  Flexibilities l = of_kalker(contact, kalker, creepages);
  if (contact.flexibility > 0.0)
    l = {contact.flexibility, contact.flexibility, contact.flexibility};
  if (contact.slope == SlopeReduction{}) return l;
  const double k = reduction(contact, kalker, creepages);
  return {l.x / k, l.y / k, l.spin / k};
}

}  // namespace slipfield
