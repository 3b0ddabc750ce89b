// SPDX-License-Identifier: Apache-2.0
// Warns of positions of a wheel that are possible but rarely meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/wheel_rail/placement.h"
#include "solver/wheel_rail/wheel_solver.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

struct WheelDoubt {
  std::string topic;  // one warning per topic in a case
  std::string text;
};

// About the place where the wheel touches or is nearest: it runs on its flange. About the case's
// numbers: radii and curvatures that look like metres.
std::vector<WheelDoubt> wheel_doubts(const WheelRailPosition& position, const NearestPoint& nearest,
                                     const Profile& wheel);

// The doubts among these that no place of the wheel changes: a radius that no wheel has, and a
// back-to-back distance that is wrong for this gauge.
std::optional<WheelDoubt> radius_doubt(double nominal);
std::optional<WheelDoubt> clearance_doubt(const WheelRailPosition& position, const Profile& wheel);

// Returns whether the pitch velocity is that of rolling at the nominal radius, so that a wheel of
// this radius [mm] drives or brakes.
bool rolls_off_nominal_radius(const WheelStep& wheel, double radius);

// About such a pitch velocity if both wheels of the wheelset roll at greater radii, or both at
// smaller ones: they drive or brake. radius, other: of the left and the right wheel; for a single
// wheel its own and that of its mirror image [mm].
std::optional<WheelDoubt> pitch_doubt(const WheelStep& wheel, double radius, double other,
                                      bool is_alone);

// About a velocity that looks like m/s: a thousandth of the one that matches the pitch velocity, or
// slower than any vehicle although results depend on it.
std::optional<WheelDoubt> velocity_doubt(const WheelStep& wheel, bool warms);

// About a driving or braking force above what friction carries.
std::optional<WheelDoubt> driving_doubt(const WheelsetStep& step);

// About a vertical force that looks like kN.
std::optional<WheelDoubt> force_doubt(const std::optional<double>& vertical_force,
                                      const Wheelset& wheelset);

// The length in wheel_rail that makes a position impossible: it looks like metres, or contradicts
// another length.
struct WrongLength {
  std::string key;  // in wheel_rail
  std::string problem;
  std::string accepted;
};
std::optional<WrongLength> wrong_length(const WheelRailPosition& position, const Profile& wheel);

// About a wheel that touches nothing, in a case or in a solved step. gap: the least gap [mm].
WheelDoubt gap_doubt(Side side, double gap);

// About a step of transient rolling in which the wheelset moves sideways by a length that
// contradicts its velocity.
std::optional<WheelDoubt> motion_doubt(const WheelRailPosition& before,
                                       const WheelRailPosition& now);

// About a rail placed by the gauge: its profile begins above the gauge height, or the gauge is
// measured on a lip. head, placed: of that rail in this track.
std::optional<WheelDoubt> gauge_doubt(const Profile& rail, const RailHead& head, const Track& track,
                                      const PlacedRail& placed);

// About a grooved rail with its groove on the field side of the head.
std::optional<WheelDoubt> groove_doubt(const GroovedRail& grooves);

// About a rail that leans away from the track's centre, such as a mirrored one, or that has a cant
// in addition to the inclination of its profile. inclined: see RailHead.
std::optional<WheelDoubt> lean_doubt(const std::optional<double>& inclined, const Track& track);

}  // namespace slipfield
