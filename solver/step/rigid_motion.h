// SPDX-License-Identifier: Apache-2.0
// The rigid motion of a step: the prescribed part, and starting values for the rest (THEORY.md 5.2,
// 5.3, 5.7).
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/fields/tangential_ops.h"
#include "solver/grid.h"
#include "solver/material.h"
#include "solver/problem.h"
#include "solver/rolling.h"

namespace slipfield {

// Rigid slip of a step per creepage [length]; 1 for a shift, which is a rigid slip already.
inline double slip_distance(const Tangential& tangential) {
  return is_rolling(tangential.problem) ? tangential.step : 1.0;
}

// Evaluates the spin `ahead` in front of the element [length].
inline void place_spin(double direction, double ahead, RigidSlip& rigid) {
  rigid.arm_x = ahead * std::cos(direction);
  rigid.arm_y = ahead * std::sin(direction);
}

// The prescribed motion. Where a force is prescribed instead, a starting value: in rolling the
// creepage of the step before.
inline RigidSlip first_rigid_slip(const Tangential& tangential, double last_creepage_x,
                                  double last_creepage_y) {
  RigidSlip rigid;
  if (tangential.problem == TangentialProblem::none) return rigid;
  const bool rolling = is_rolling(tangential.problem);
  const double distance = slip_distance(tangential);
  const auto first = [&](const TangentialLoad& load, double creepage) {
    if (load.control == TangentialControl::rigid) return distance * load.value;
    return rolling ? distance * creepage : 0.0;
  };
  rigid.x = first(tangential.x, last_creepage_x);
  rigid.y = first(tangential.y, last_creepage_y);
  rigid.rotation = distance * tangential.rotation;
  if (rolling) place_spin(tangential.direction, distance / 6.0, rigid);
  return rigid;
}

// Sums over the elements, to which prescribed forces refer.
struct ForceSums {
  double bound = 0.0;     // of the traction bounds
  double pressure = 0.0;  // of the pressures
};

// The prescribed sum of tractions; 0 if the rigid motion is prescribed.
inline double force_sum(const TangentialLoad& load, const ForceSums& sums, const Grid& grid) {
  switch (load.control) {
    case TangentialControl::rigid:
      break;
    case TangentialControl::force:
      return load.value / grid.element_area();
    case TangentialControl::force_ratio:
      return load.value * sums.bound;
    case TangentialControl::traction_coefficient:
      return load.value * sums.pressure;
  }
  return 0.0;
}

// Rigid slip per sum of tractions for a circle of the same area in full adhesion. Mindlin 1949:
// shift/force = (2 - nu)/(8 G a) for each body. Steady rolling: force = C11 G a^2 creepage with C11
// near 4 [Kalker1990]. A layer adds its own compliance, in steady rolling only a share, since
// tractions build up along the contact.
inline double adhesive_compliance(const Tangential& tangential, double elements_in_contact,
                                  const Grid& grid, const CombinedMaterial& material) {
  const double area = std::max(elements_in_contact, 1.0) * grid.element_area();
  const double radius = std::sqrt(area / std::numbers::pi);
  const double stiffness = tangential.problem == TangentialProblem::steady_rolling
                               ? 4.0 * radius * radius / tangential.step
                               : 4.0 * radius / (2.0 - material.poisson_ratio);
  const double bodies = grid.element_area() / (material.shear_modulus * stiffness);
  if (material.layer == 0.0) return bodies;
  const double share = tangential.problem == TangentialProblem::steady_rolling
                           ? std::min(1.0, tangential.step / radius)
                           : 1.0;
  return bodies + share * material.layer / std::max(elements_in_contact, 1.0);
}

}  // namespace slipfield
