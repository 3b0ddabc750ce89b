// SPDX-License-Identifier: Apache-2.0
// The coefficient of friction of an element that slips, by its slip velocity w [length/time]
// (THEORY.md 5.6).
//
// Falling laws, with d = static - kinetic and h the velocity at which half of d is left:
//   linear_falling  kinetic + d max(0, 1 - w/(2 h))
//   rational        kinetic + d/(1 + w/h)
//   exponential     kinetic + d 2^(-w/h)
// A second term with a drop d2 and a velocity h2 of its own takes d2 from d; rational it is
// d2/(1 + (w/h2)^2). These are the laws of the field's reference program (CONTACT, m_friclaw.f90).
#pragma once

#include <cmath>

#include "solver/host_device.h"

namespace slipfield {

enum class FrictionLaw { constant, linear_falling, rational, exponential };

// mu(w) of one law.
struct SlidingLaw {
  FrictionLaw law = FrictionLaw::constant;
  double fixed = 0.0;  // static
  double kinetic = 0.0;
  double half_velocity = 0.0;
  double second_drop = 0.0;
  double second_half_velocity = 0.0;
  bool operator==(const SlidingLaw& other) const {  // not defaulted: kernels are C++17
    return law == other.law && fixed == other.fixed && kinetic == other.kinetic &&
           half_velocity == other.half_velocity && second_drop == other.second_drop &&
           second_half_velocity == other.second_half_velocity;
  }

  SLIPFIELD_HD double at(double w) const {
    const double first = first_term(w);
    return second_drop > 0.0 ? first + second_term(w) : first;
  }
  SLIPFIELD_HD double first_term(double w) const {
    const double drop = fixed - kinetic - second_drop;
    switch (law) {
      case FrictionLaw::linear_falling:
        return kinetic + drop * std::fmax(0.0, 1.0 - 0.5 * w / half_velocity);
      case FrictionLaw::rational:
        return kinetic + drop / (1.0 + w / half_velocity);
      case FrictionLaw::exponential:
        return kinetic + drop * std::exp2(-w / half_velocity);
      case FrictionLaw::constant:
        break;
    }
    return kinetic;
  }
  SLIPFIELD_HD double second_term(double w) const {
    const double part = w / second_half_velocity;
    switch (law) {
      case FrictionLaw::linear_falling:
        return second_drop * std::fmax(0.0, 1.0 - 0.5 * part);
      case FrictionLaw::rational:
        return second_drop / (1.0 + part * part);
      case FrictionLaw::exponential:
        return second_drop * std::exp2(-part);
      case FrictionLaw::constant:
        break;
    }
    return 0.0;
  }
};

}  // namespace slipfield
