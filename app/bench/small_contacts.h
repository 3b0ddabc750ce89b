// SPDX-License-Identifier: Apache-2.0
// Random small contacts for batches: from tiny creepage to full sliding, with spin.
#pragma once

#include <random>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

enum class SmallContacts { creepages, forces, wavy_gap, normal, falling, falling_forces };

// An ellipse of random size and ratio (a/b from 1/4 to 4, one of nine), or the same with a wavy
// gap, or a cylinder on one row, under a random load; creepages and spin from a hundredth of
// saturation to six times it, evenly in the logarithm; where the friction falls, by one of the
// laws, to 60 to 95 % of it about the slip velocities that there are. The same on every machine.
ContactProblem random_small_contact(std::mt19937_64& engine, int mx, int my, SmallContacts kind,
                                    double tolerance);

// The greatest difference between the totals of two results: forces over F_n, moments over F_n and
// half the grid's length, the rest over itself.
double total_difference(const ContactProblem& problem, const StepReport& one,
                        const StepReport& two);

}  // namespace slipfield
