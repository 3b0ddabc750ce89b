#include "solver/simplified/simplified_theory.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipfield {

Flexibilities flexibilities(const SimplifiedContact& contact, const KalkerCoefficients& kalker,
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

}  // namespace slipfield
