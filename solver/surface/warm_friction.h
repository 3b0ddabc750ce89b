// SPDX-License-Identifier: Apache-2.0
// Steps with the heat of their surfaces: temperatures that are carried from step to step, and
// friction that depends on them: a step is solved with the coefficients of the temperatures found,
// again and again until both agree (THEORY.md 15.4, 15.6).
#pragma once

#include <memory>

#include "solver/contact_solver.h"

namespace slipfield {

// A solver that takes FrictionByTemperature, around one that takes coefficients by element. Its
// solutions have the temperatures, its reports and its state what is known of the heat. The solver
// itself where the problem computes no heat.
std::unique_ptr<ContactSolver> warm_friction_solver(const ContactProblem& problem,
                                                    std::unique_ptr<ContactSolver> solver);

}  // namespace slipfield
