// SPDX-License-Identifier: Apache-2.0
// The length that elements must resolve if surfaces adhere.
#pragma once

#include <algorithm>
#include <numbers>

#include "solver/problem.h"

namespace slipfield {

// The longest side of an element among the directions with several elements.
inline double longest_side(const Grid& grid) {
  return std::max(grid.mx > 1 ? grid.dx : 0.0, grid.my > 1 ? grid.dy : 0.0);
}

// The zone in which the stress acts ahead of a crack, pi/4 E* w/sigma_0^2 [Dugdale 1960, as
// Maugis1992 takes it]. Where the law's range is longer it resolves more than that.
inline double adhesive_zone(const ContactProblem& problem) {
  const double strength = problem.adhesion.strength();
  return 0.25 * std::numbers::pi * combine(problem.upper, problem.lower).contact_modulus() *
         problem.adhesion.work / (strength * strength);
}

}  // namespace slipfield
