// SPDX-License-Identifier: Apache-2.0
// Friction that depends on the surface temperature: steps are solved with the coefficients of the
// temperatures found, again and again until friction and temperature agree (THEORY.md 15.4).
#pragma once

#include <memory>

#include "solver/contact_solver.h"

namespace slipfield {

// A solver that takes FrictionByTemperature, around one that takes coefficients by element; the
// solver itself where the problem computes no heat.
std::unique_ptr<ContactSolver> warm_friction_solver(const ContactProblem& problem,
                                                    std::unique_ptr<ContactSolver> solver);

}  // namespace slipfield
