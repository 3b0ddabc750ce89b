// SPDX-License-Identifier: Apache-2.0
// Profiles of wheel and rail after the wear of their contacts (THEORY.md 13.9).
#pragma once

#include <vector>

#include "solver/wheel_rail/contact_patch.h"

namespace slipfield {

// The wear of one body in one contact, in the canonical coordinates of its profile.
struct WornContact {
  double y = 0.0;  // of the contact's reference point [mm]
  double z = 0.0;
  double angle = 0.0;         // of the contact plane against the profile's y axis [rad]
  std::vector<double> s;      // of the rows, along the plane from the reference point, increasing
  std::vector<double> depth;  // [mm] of each row, along the plane's normal
};

// patch: of the side of `position`, whose roll is the solved one; depth: of the patch's rows.
// Ignores the wheel's yaw, since it turns the plane only by its own square.
WornContact worn_contact(ProfileRole role, const ContactPatch& patch,
                         const WheelRailPosition& position, std::vector<double> depth);

// The points of the profile, and of the rows of wearing contacts, less the depths: linear between
// rows, 0 outside them.
std::vector<ProfilePoint> worn_points(const Profile& profile,
                                      const std::vector<WornContact>& contacts);

}  // namespace slipfield
