// SPDX-License-Identifier: Apache-2.0
// Steps with the heat of their surfaces: temperatures that are carried from step to step, and
// friction that depends on them, which the rounds of a step follow (THEORY.md 15.4, 15.6).
#pragma once

#include <memory>

#include "solver/contact_solver.h"

namespace slipfield {

// A solver whose solutions have the temperatures, its reports and its state what is known of the
// heat, around one that asks it for coefficients of FrictionByTemperature. The solver itself where the
// problem computes no heat.
std::unique_ptr<ContactSolver> warm_friction_solver(const ContactProblem& problem,
                                                    std::unique_ptr<ContactSolver> solver);

}  // namespace slipfield
