// SPDX-License-Identifier: Apache-2.0
// The distance of the undeformed rail and wheel over a plane (THEORY.md 13.4).
#pragma once

#include <vector>

#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// h = n of the rail's surface less n of the wheel's at the centres of place.grid, in the frame of
// `place`, whose on_wheel is where its origin is; < 0 where they overlap, +infinity where a body is
// missing. `reach` [length]: how far beyond the grid along y the wheel's surface is looked for.
std::vector<double> distance_over_plane(const WheelOnRail& bodies, const ContactPatch& place,
                                        double reach = 0.0);

}  // namespace slipfield
