// SPDX-License-Identifier: Apache-2.0
// Wear, heat and fatigue of wheel and rail, contact by contact (THEORY.md 13.9).
#pragma once

#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

// Adds T-gamma and what bodies.surface asks for to the solved patches. A patch that does not slip for
// want of friction or rolling has no wear and no heat.
void add_wheel_surface(const ContactProblem& bodies, SolvedWheel& wheel);

}  // namespace slipfield
