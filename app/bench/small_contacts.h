// SPDX-License-Identifier: Apache-2.0
// Random small contacts for batches: from tiny creepage to full sliding, with spin.
#pragma once

#include <random>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

enum class SmallContacts { creepages, forces, wavy_gap, normal, falling, falling_forces };

// Returns an ellipse of random size and ratio (a/b from 1/4 to 4, one of nine), the same with a
// wavy gap, or a cylinder on one row, under a random load. Creepages and spin run from a hundredth
// of saturation to six times it, evenly in the logarithm; falling friction follows one of its laws
// down to 60 to 95 % within the slip velocities that occur. The same on every machine.
ContactProblem random_small_contact(std::mt19937_64& engine, int mx, int my, SmallContacts kind,
                                    double tolerance);

// Returns the greatest difference between the totals of two results: forces over F_n, moments over
// F_n times half the grid's length, all others over their own size.
double total_difference(const ContactProblem& problem, const StepReport& one,
                        const StepReport& two);

}  // namespace slipfield
