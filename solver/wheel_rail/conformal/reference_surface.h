// SPDX-License-Identifier: Apache-2.0
// Conformal contact of a wheel on a rail: the curved surface between the two in which the contact
// lies, in place of a plane (THEORY.md 13.11).
#pragma once

#include <vector>

#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// The rows of patch.grid on the mean of the rail's and the wheel's section at x = 0; patch.frame
// and on_wheel are known. y of the grid counts along it. Where a body is missing the surface goes
// on straight. InputError where one is missing at the reference point.
std::vector<ReferenceRow> reference_rows(const WheelOnRail& bodies, const ContactPatch& patch);

// Origin on the reference surface, axes x, along the surface, and its normal into the rail; in track
// coordinates.
AxesFrame row_frame(const ContactPatch& patch, const ReferenceRow& row);

// As distance_over_plane(), of each row along its own normal.
std::vector<double> conformal_distance(const WheelOnRail& bodies, const ContactPatch& patch);

}  // namespace slipfield
