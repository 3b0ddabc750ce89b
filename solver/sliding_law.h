// The coefficient of friction of an element that slips, by its slip velocity w [length/time]
// (THEORY.md 5.6).
//
// Falling laws, with d = static - kinetic and h the velocity at which half of d is left:
//   linear_falling  kinetic + d max(0, 1 - w/(2 h))
//   rational        kinetic + d/(1 + w/h)
//   exponential     kinetic + d 2^(-w/h)
// These are the single-term laws of the field's reference program (CONTACT, m_friclaw.f90).
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

  SLIPFIELD_HD double at(double w) const {
    const double drop = fixed - kinetic;
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
};

}  // namespace slipfield
