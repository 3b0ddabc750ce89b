// SPDX-License-Identifier: Apache-2.0
// Profiles of wheel and rail after what their contacts have worn off (THEORY.md 13.9).
#pragma once

#include <vector>

#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// The wear of one body by one contact, in the canonical coordinates of its profile.
struct WornContact {
  double y = 0.0;  // of the contact's reference point
  double z = 0.0;
  double angle = 0.0;         // of the contact plane against the profile's y axis [rad]
  std::vector<double> s;      // of the rows, along the plane from the reference point, increasing
  std::vector<double> depth;  // [mm] of each row, along the plane's normal
};

// `patch` as of the side of `position`, whose roll is the solved one; `depth`: of its rows. Of the
// wheel the yaw is left out, as it does not turn the plane by more than its own square.
WornContact worn_contact(ProfileRole role, const ContactPatch& patch,
                         const WheelRailPosition& position, std::vector<double> depth);

// The points of the profile, with those of the rows of contacts that wear, less the depths: between
// rows linear, beyond them nothing.
std::vector<ProfilePoint> worn_points(const Profile& profile,
                                      const std::vector<WornContact>& contacts);

}  // namespace slipfield
