// SPDX-License-Identifier: Apache-2.0
// Derivatives of a friction coefficient with respect to the parameters of its law (sliding_law.h).
#pragma once

#include "solver/host_device.h"
#include "solver/sliding_law.h"

namespace slipfield {

struct LawNumbers : FallingNumbers {
  double fixed = 0.0;  // static
  double kinetic = 0.0;
  double shear_strength = 0.0;  // of the bound, not of the coefficient
};

// d mu/d(parameter) at the slip velocity w, for any law: mu is linear in its coefficients, and each
// term depends on w only relative to its own velocity.
SLIPFIELD_HD inline LawNumbers by_numbers(const SlidingLaw& law, double w) {
  LawNumbers by;
  if (law.law == FrictionLaw::constant) {
    by.kinetic = 1.0;
    return by;
  }
  SlidingLaw unit = law;
  unit.fixed = 1.0;
  unit.kinetic = unit.second_drop = 0.0;
  by.fixed = unit.first_term(w);
  by.kinetic = 1.0 - by.fixed;
  const double first_drop = law.fixed - law.kinetic - law.second_drop;
  by.half_velocity =
      -w / law.half_velocity * law.slope_of_term(first_drop, law.half_velocity, false, w);
  if (!(law.second_half_velocity > 0.0)) return by;
  unit.second_drop = 1.0;
  by.second_drop = unit.second_term(w) - by.fixed;
  by.second_half_velocity = -w / law.second_half_velocity *
                            law.slope_of_term(law.second_drop, law.second_half_velocity, true, w);
  return by;
}

}  // namespace slipfield
