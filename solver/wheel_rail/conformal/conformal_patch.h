// SPDX-License-Identifier: Apache-2.0
// A conformal contact as a contact problem, and the force of its tilted elements (THEORY.md 13.11).
#pragma once

#include <string>
#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// Conformal contact of a wheel on a rail: the contact lies in a curved surface between the two
// instead of a plane (THEORY.md 13.11).

// The rows of patch.grid on the mean of the rail's and the wheel's section at x = 0; patch.frame
// and patch.on_wheel must be set. y of the grid is the length along this mean. Where a body is
// missing the surface continues straight. Throws InputError if one is missing at the reference
// point.
std::vector<ReferenceRow> reference_rows(const WheelOnRail& bodies, const ContactPatch& patch);

// Frame of a row in track coordinates: origin on the reference surface, axes x, along the surface,
// and its normal into the rail.
AxesFrame row_frame(const ContactPatch& patch, const ReferenceRow& row);

// Like distance_over_plane(), with each row measured along its own normal.
std::vector<double> conformal_distance(const WheelOnRail& bodies, const ContactPatch& patch);

// Coefficients turned by the inclinations of the rows relative to the contact; variant 4 of
// THEORY.md 2.9.
CurvedInfluence conformal_influence(const ContactPatch& patch);

// The rigid slip of each row, less that due to the reference point's creepages. ahead: where the
// spin is taken, from the element's centre along x [length].
ExtraSlip slip_of_rows(const ContactPatch& patch, double ahead);

// The message for a patch, conformal or not, of whose elements none lies over both surfaces.
std::string no_surface_text(const Grid& grid);

struct TurnedForce {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // about the reference point
};
// The force of the tractions on the rail, each in the axes of its row, in contact coordinates.
TurnedForce turned_force(const ContactPatch& patch, const ContactSolution& solution);

}  // namespace slipfield
