// SPDX-License-Identifier: Apache-2.0
// A conformal contact as a contact problem, and the force of its tilted elements (THEORY.md 13.11).
#pragma once

#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// Coefficients turned by the inclinations of the rows, against that of the contact; variant 4 of
// THEORY.md 2.9.
CurvedInfluence conformal_influence(const ContactPatch& patch);

// The rigid slip of each row, less that of the reference point's creepages. `ahead`:
// where the spin is taken, from the element's centre along x [length].
ExtraSlip slip_of_rows(const ContactPatch& patch, double ahead);

struct TurnedForce {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // about the reference point
};
// The force of the tractions on the rail, each in the axes of its row; in contact coordinates.
TurnedForce turned_force(const ContactPatch& patch, const ContactSolution& solution);

}  // namespace slipfield
