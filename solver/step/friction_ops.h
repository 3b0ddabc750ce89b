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
  double change = 0.0;      // how far the coefficients are from those wanted, as part of the bound
  double relaxation = 1.0;  // part of the way to take
};

// Sums over the elements in contact, weighted with the pressure squared, of the distances of the
// coefficients from those wanted: how far they are, and how much of the way to take.
struct FrictionSums {
  enum : int { wanted2, fixed2, before_times_turn, turn2, count };
  // distance: from the coefficient wanted; way: to go, by which the relaxation is found; before: it
  // one round ago.
  SLIPFIELD_HD static void add(double pressure, double fixed, double distance, double way,
                               double before, double* sums) {
    const double weight = pressure * pressure;
    sums[wanted2] += weight * distance * distance;
    sums[fixed2] += weight * fixed * fixed;
    sums[before_times_turn] += weight * before * (way - before);
    sums[turn2] += weight * (way - before) * (way - before);
  }
  // As part of the bound.
  SLIPFIELD_HD static double change(const double* sums) {
    return sums[fixed2] > 0.0 ? std::sqrt(sums[wanted2] / sums[fixed2]) : 0.0;
  }
};

// Compares the coefficient of each element with the one that its slip asks for, and moves it by the
// part that friction_relaxation() allows.
struct FollowSlip {
  using Sum = FrictionSums;
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
