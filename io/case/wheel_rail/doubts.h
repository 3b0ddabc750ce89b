// SPDX-License-Identifier: Apache-2.0
// What is possible of a wheel's position, but rarely meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/wheel_rail/placement.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

struct WheelDoubt {
  std::string topic;  // one warning of each in a case
  std::string text;
};

// About where the wheel touches, or is nearest: it runs on its flange. About the case's numbers:
// radii and curvatures that look like metres.
std::vector<WheelDoubt> wheel_doubts(const WheelRailPosition& position, const NearestPoint& nearest,
                                     const Profile& wheel);

// Whether the pitch velocity is that of rolling at the nominal radius, and a wheel of this radius
// [mm] so drives or brakes.
bool rolls_off_nominal_radius(const WheelStep& wheel, double radius);

// About such a pitch velocity where both wheels of the wheelset roll at greater radii, or both at
// smaller ones: they drive or brake. radius, other: of the left and the right wheel; of a wheel
// alone its own, and that of its mirror image on the other side [mm].
std::optional<WheelDoubt> pitch_doubt(const WheelStep& wheel, double radius, double other,
                                      bool is_alone);

// About a velocity that looks like m/s: a thousandth of what the pitch velocity gives, or slower
// than any vehicle where something depends on it.
std::optional<WheelDoubt> velocity_doubt(const WheelStep& wheel, bool warms);

// About a force that looks like kN.
std::optional<WheelDoubt> force_doubt(const std::optional<double>& vertical_force,
                                      const Wheelset& wheelset);

// The length of wheel_rail that explains why a position cannot be: it looks like metres, or does
// not fit to another one.
struct WrongLength {
  std::string key;  // in wheel_rail
  std::string problem;
  std::string accepted;
};
std::optional<WrongLength> wrong_length(const WheelRailPosition& position, const Profile& wheel);

// About a wheel that touches nothing; of a case and of a step that was solved. gap: the least [mm]
WheelDoubt gap_doubt(Side side, double gap);

// About a step of transient rolling in which the wheelset moves across by another length than its
// velocity says.
std::optional<WheelDoubt> motion_doubt(const WheelRailPosition& before,
                                       const WheelRailPosition& now);

// About the place of a rail that the gauge gives: its profile begins above the gauge height, or the
// gauge is measured on a lip. head, placed: of that rail in this track.
std::optional<WheelDoubt> gauge_doubt(const Profile& rail, const RailHead& head, const Track& track,
                                      const PlacedRail& placed);

// About a grooved rail whose groove is on the field side of its head.
std::optional<WheelDoubt> groove_doubt(const GroovedRail& grooves);

// About a rail that leans away from the track's centre, as a mirrored one does, or has a cant
// besides the inclination of its profile. inclined: as of RailHead.
std::optional<WheelDoubt> lean_doubt(const std::optional<double>& inclined, const Track& track);

}  // namespace slipfield
