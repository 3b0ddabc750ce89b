// SPDX-License-Identifier: Apache-2.0
// Aitken's relaxation of coefficients that are found in rounds (THEORY.md 8.2).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

// Rounds that coefficients, and tractions, may move freely in; later ones keep elements from
// alternating.
inline constexpr int kFreeRounds = 10;
// Changes of later rounds that Anderson's mixing combines, and on how many elements at most: it
// takes some 700 bytes of host memory of each, which no estimate has.
inline constexpr std::size_t kMixedRounds = 8;
inline constexpr std::size_t kMostMixedElements = std::size_t{1} << 16;

// The part of the way to take: omega = -omega' r'.(r - r')/|r - r'|^2 with omega' `last`, r the
// distances from the coefficients wanted and r' those one round ago, here as the two products; kept
// within least and most. Below 0, and so `least`, where r grows in one direction. 1 where r is r'.
SLIPFIELD_HD inline double aitken_relaxation(double last, double before_times_turn, double turn2,
                                             double least, double most) {
  if (!(turn2 > 0.0)) return 1.0;
  return std::fmin(most, std::fmax(least, -last * before_times_turn / turn2));
}

// As aitken_relaxation for a coefficient that depends on the slip. escapes: where the distances
// grow the slip leaves an unstable solution, and the least part would lead away slowly. With 2, 3
// and 4 for kEscape the 288 cases of rolling tried took 13139, 12949 and 12933 rounds in all and at
// most 111, 117 and 167 in a step; with kLeast 18512, and seven did not end in 200.
SLIPFIELD_HD inline double friction_relaxation(double last, double before_times_turn, double turn2,
                                               bool escapes) {
  constexpr double kLeast = 0.1;
  constexpr double kMost = 4.0;
  constexpr double kEscape = 3.0;
  const bool grows = before_times_turn > 0.0;
  return aitken_relaxation(last, before_times_turn, turn2, escapes && grows ? kEscape : kLeast,
                           kMost);
}

}  // namespace slipfield
