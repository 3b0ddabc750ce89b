// SPDX-License-Identifier: Apache-2.0
// Friction that depends on where a wheel touches its rail: dry on the tread, greased at the gauge
// corner. Each contact has one coefficient, or one law, chosen by its inclination (THEORY.md 13.8).
#pragma once

#include "solver/friction.h"
#include "solver/wheel_rail/contact_patch.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

// The contact's inclination to the axle [rad]: > 0 where the rail falls towards the field side, < 0
// at the gauge corner, on either side of the track.
double contact_inclination(const ContactPatch& patch, const WheelRailPosition& position);

// The friction at one inclination, as friction that is the same everywhere. over: friction along y,
// whose places are inclinations, or the same everywhere; linear between the places, constant beyond
// them.
Friction friction_at(const Friction& over, double inclination);

// Wear, heat and fatigue of wheel and rail, contact by contact (THEORY.md 13.9).

// Adds T-gamma and what bodies.surface requests to the solved patches. A patch without slip,
// because it has no friction or does not roll, has no wear and no heat.
void add_wheel_surface(const ContactProblem& bodies, SolvedWheel& wheel);

}  // namespace slipfield
