// Element operations of a friction coefficient that depends on the slip.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/sliding_law.h"
#include "solver/step_ops.h"

namespace slipfield {

// Moves the coefficient of each element towards the one that its slip asks for, and measures how
// far it was from it, as part of the bound. An element outside the contact has the static one.
struct FollowSlip {
  static constexpr int kSums = 2;
  SlidingLaw law;
  double rate = 1.0;        // from the slip distance of the step to a velocity [1/time]
  double relaxation = 1.0;  // part of the way taken
  bool only_down = false;   // a coefficient that has fallen stays
  StepFields f;
  double* friction = nullptr;
  double* change = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (!in_contact(f.state[i])) {
      friction[i] = law.fixed;
      return;
    }
    const bool slips = f.state[i] == static_cast<unsigned char>(ElementState::slip);
    const double slip = std::sqrt(f.slip_x[i] * f.slip_x[i] + f.slip_y[i] * f.slip_y[i]);
    double wanted = slips ? law.at(rate * slip) : law.fixed;
    if (only_down) wanted = std::fmin(wanted, friction[i]);
    const double difference = f.pressure[i] * (wanted - friction[i]);
    sums[0] += difference * difference;
    sums[1] += f.pressure[i] * f.pressure[i] * law.fixed * law.fixed;
    friction[i] += relaxation * (wanted - friction[i]);
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    *change = sums[1] > 0.0 ? std::sqrt(sums[0] / sums[1]) : 0.0;
  }
};

}  // namespace slipfield
