// SPDX-License-Identifier: Apache-2.0
// Element operations of a friction coefficient that depends on the slip (THEORY.md 8.2).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/fields/fixed_point_ops.h"
#include "solver/fields/step_ops.h"
#include "solver/sliding_law.h"

namespace slipfield {

struct FrictionChange {
  double change = 0.0;      // distance of the coefficients from those wanted, as part of the bound
  double relaxation = 1.0;  // fraction of that distance to move
};

// Sums over the elements in contact, weighted with the squared pressure: how far the coefficients
// are from those wanted, and what fraction of that distance to move.
struct FrictionSums {
  enum : int { wanted2, fixed2, before_times_turn, turn2, count };
  // distance: to the coefficient wanted; way: the distance that determines the relaxation; before:
  // `way` one round ago.
  SLIPFIELD_HD static void add(double pressure, double fixed, double distance, double way,
                               double before, double* sums) {
    const double weight = pressure * pressure;
    sums[wanted2] += weight * distance * distance;
    sums[fixed2] += weight * fixed * fixed;
    sums[before_times_turn] += weight * before * (way - before);
    sums[turn2] += weight * (way - before) * (way - before);
  }
  // The distance as part of the bound.
  SLIPFIELD_HD static double change(const double* sums) {
    return sums[fixed2] > 0.0 ? std::sqrt(sums[wanted2] / sums[fixed2]) : 0.0;
  }
};

// Compares the coefficient of each element with that of its slip, and finds the fraction of the
// distance to move by friction_relaxation().
struct FollowSlip {
  using Sum = FrictionSums;
  SlidingLaw law;
  double rate = 1.0;       // converts the slip distance of a step to a velocity [1/time]
  bool only_down = false;  // a coefficient that has fallen stays
  bool relaxed = true;     // false: move the whole distance at once
  bool escapes = false;    // omega below 0: not the least part, which would lead away slowly
  bool first = true;       // there is no previous iteration
  StepFields f;
  const double* friction = nullptr;
  double* wanted = nullptr;  // in: distances one iteration ago; out: now
  FrictionChange* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double before = first ? 0.0 : wanted[i];
    if (!in_contact(f.state[i])) {
      // an element that enters contact starts at the static value
      wanted[i] = law.fixed - friction[i];
      return;
    }
    const bool slips = f.state[i] == static_cast<unsigned char>(ElementState::slip);
    const double slip = std::sqrt(f.slip_x[i] * f.slip_x[i] + f.slip_y[i] * f.slip_y[i]);
    double coefficient = slips ? law.at(rate * slip) : law.fixed;
    if (only_down) coefficient = std::fmin(coefficient, friction[i]);
    const double now = coefficient - friction[i];
    Sum::add(f.pressure[i], law.fixed, now, now, before, sums);
    wanted[i] = now;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out->change = Sum::change(sums);
    out->relaxation = first || !relaxed
                          ? 1.0
                          : friction_relaxation(out->relaxation, sums[Sum::before_times_turn],
                                                sums[Sum::turn2], escapes);
  }
};

// The update for a round, counted from 1. rate: as in FollowSlip.
SLIPFIELD_HD inline FollowSlip follow_slip_in_round(const SlidingLaw& law, double rate, int round) {
  const bool falls = law.law != FrictionLaw::constant;
  FollowSlip op;
  op.law = law;
  op.rate = falls ? rate : 0.0;
  op.relaxed = falls;
  op.only_down = !falls && round > kFreeRounds;  // alternating elements would never settle
  // in earlier rounds distances grow simply because a border moves
  op.escapes = round > kFreeRounds;
  op.first = round == 1;
  return op;
}

struct TakeFriction {
  SlidingLaw law;
  const double* wanted = nullptr;
  const FrictionChange* change = nullptr;
  double* friction = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const double moved = friction[i] + change->relaxation * wanted[i];
    friction[i] = std::fmin(law.fixed, std::fmax(law.kinetic, moved));
  }
};

// Moves the coefficients by the share that newton's rows used for these tractions (THEORY.md 8.2)
// and sets the bound to match; the tractions keep this bound.
struct TakeFrictionShare {
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
