// SPDX-License-Identifier: Apache-2.0
// Element operations of a friction coefficient that depends on the slip (THEORY.md 8.2).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/sliding_law.h"
#include "solver/step/relaxation.h"
#include "solver/step/step_ops.h"

namespace slipfield {

struct FrictionChange {
  double change = 0.0;      // how far the coefficients are from those wanted, as part of the bound
  double relaxation = 1.0;  // part of the way to take
};

// How far the coefficient of each element is from the one that its slip asks for, and how much of
// the way to take by friction_relaxation(), weighted with the pressure.
struct FollowSlip {
  struct Sum {
    enum : int { wanted2, fixed2, before_times_turn, turn2, count };
  };
  static constexpr int kSums = Sum::count;
  SlidingLaw law;
  double rate = 1.0;       // from the slip distance of the step to a velocity [1/time]
  bool only_down = false;  // a coefficient that has fallen stays
  bool relaxed = true;     // else the whole way at once
  bool escapes = false;    // omega below 0: not the least part, which would lead away slowly
  bool first = true;       // nothing is known of one iteration ago
  StepFields f;
  const double* friction = nullptr;
  double* wanted = nullptr;  // the distance of each, replaced
  FrictionChange* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double before = first ? 0.0 : wanted[i];
    if (!in_contact(f.state[i])) {
      wanted[i] = law.fixed - friction[i];  // an element that enters begins with the static one
      return;
    }
    const bool slips = f.state[i] == static_cast<unsigned char>(ElementState::slip);
    const double slip = std::sqrt(f.slip_x[i] * f.slip_x[i] + f.slip_y[i] * f.slip_y[i]);
    double coefficient = slips ? law.at(rate * slip) : law.fixed;
    if (only_down) coefficient = std::fmin(coefficient, friction[i]);
    const double now = coefficient - friction[i];
    const double weight = f.pressure[i] * f.pressure[i];
    sums[Sum::wanted2] += weight * now * now;
    sums[Sum::fixed2] += weight * law.fixed * law.fixed;
    sums[Sum::before_times_turn] += weight * before * (now - before);
    sums[Sum::turn2] += weight * (now - before) * (now - before);
    wanted[i] = now;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out->change = sums[Sum::fixed2] > 0.0 ? std::sqrt(sums[Sum::wanted2] / sums[Sum::fixed2]) : 0.0;
    out->relaxation = first || !relaxed
                          ? 1.0
                          : friction_relaxation(out->relaxation, sums[Sum::before_times_turn],
                                                sums[Sum::turn2], escapes);
  }
};

// What a round asks of the slip of the fields, round 1 being the first. rate: as in FollowSlip.
SLIPFIELD_HD inline FollowSlip follow_slip_in_round(const SlidingLaw& law, double rate, int round) {
  const bool falls = law.law != FrictionLaw::constant;
  FollowSlip op;
  op.law = law;
  op.rate = falls ? rate : 0.0;
  op.relaxed = falls;
  op.only_down = !falls && round > kFreeRounds;  // alternating elements would never settle
  op.escapes = round > kFreeRounds;  // before, distances also grow where a border still moves
  op.first = round == 1;
  return op;
}

struct TakeFriction {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  SlidingLaw law;
  const double* wanted = nullptr;
  const FrictionChange* change = nullptr;
  double* friction = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const double moved = friction[i] + change->relaxation * wanted[i];
    friction[i] = std::fmin(law.fixed, std::fmax(law.kinetic, moved));
  }
};

// The share of the way that newton's rows took with the tractions (THEORY.md 8.2), and the bound of
// it, which these tractions keep.
struct TakeFrictionShare {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  SlidingLaw law;
  double share = 1.0;
  const double* wanted = nullptr;
  const double* pressure = nullptr;
  double* friction = nullptr;
  double* bound = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const double moved = friction[i] + share * wanted[i];
    friction[i] = std::fmin(law.fixed, std::fmax(law.kinetic, moved));
    bound[i] = friction[i] * pressure[i];
  }
};

}  // namespace slipfield
