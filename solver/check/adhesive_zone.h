// SPDX-License-Identifier: Apache-2.0
// The length that elements must resolve if surfaces adhere.
#pragma once

#include <algorithm>
#include <numbers>

#include "solver/problem.h"

namespace slipfield {

// The longest side of an element in the directions along which a contact may vary: those of more
// than one element, or than two where they are repeated.
inline double longest_side(const Grid& grid) {
  const auto side = [](int elements, double length, bool repeats) {
    return elements > (repeats ? 2 : 1) ? length : 0.0;
  };
  return std::max(side(grid.mx, grid.dx, repeats_in_x(grid.boundary)),
                  side(grid.my, grid.dy, repeats_in_y(grid.boundary)));
}

// The zone in which the stress acts ahead of a crack, pi/4 E* w/sigma_0^2 [Dugdale 1960, as
// Maugis1992 takes it]. Where the law's range is longer it resolves more than that.
inline double adhesive_zone(const ContactProblem& problem) {
  const double strength = problem.adhesion.strength();
  return 0.25 * std::numbers::pi * combine(problem.upper, problem.lower).contact_modulus() *
         problem.adhesion.work / (strength * strength);
}

}  // namespace slipfield
