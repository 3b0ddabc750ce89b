// SPDX-License-Identifier: Apache-2.0
// How much of a normal force a rolling patch passes on across the track, before its tangential
// problem is solved (THEORY.md 13.6).
#pragma once

#include <vector>

#include "solver/material.h"
#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// F_s/F_n on the rail: Kalker's linear theory for the ellipse with the length and the width of the
// contact, cut off at the friction by the cubic law of Johnson and Vermeulen. Good to some percent;
// the spin counts in the linear part alone. `pressure` on the patch's grid, `normal_force` > 0;
// 0 where nothing rolls.
double expected_lateral_share(const ContactPatch& patch, const std::vector<double>& pressure,
                              double normal_force, const CombinedMaterial& material,
                              double friction_coefficient);

}  // namespace slipfield
