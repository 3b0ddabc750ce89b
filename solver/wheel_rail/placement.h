// SPDX-License-Identifier: Apache-2.0
// Rail and wheel in track coordinates, of the right side (THEORY.md 13.2).
#pragma once

#include <Eigen/Core>
#include <optional>

#include "solver/wheel_rail/wheel_rail.h"

namespace slipfield {

struct PlacedRail {
  AxesFrame frame;           // of the profile's coordinates
  SplineCurve curve;         // in track coordinates
  double gauge_point = 0.0;  // y of the profile, turned by the cant; unless placed by its origin
  // The profile begins above the gauge height, so that its first point is taken.
  bool gauge_point_is_end = false;
  double roller_radius = 0.0;  // 0: a rail, which is straight along x

  // How much lower than at x = 0 the surface through a point of height z is at x.
  [[nodiscard]] double drop(double z, double x) const;
  // The curvature of the surface along x.
  [[nodiscard]] double curvature() const { return roller_radius > 0.0 ? 1.0 / roller_radius : 0.0; }
};

// `track` of the right side.
PlacedRail place_rail(const Profile& rail, const Track& track);

// A rail whose grooves are deeper than `gauge_height` below the tops next to them: the widths, at
// that depth, of its widest part and of those beyond the grooves next to it; 0 where there is none.
struct GroovedRail {
  double head = 0.0;
  double gauge_side = 0.0;
  double field_side = 0.0;
};
GroovedRail grooves_of(const Profile& rail, double gauge_height);

// [rad] How far the head of the profile leans towards the track's centre as its points are given:
// the slope on the axis half-way between its faces at `gauge_height` below the top, where an
// upright head is level. Nothing where the profile ends above that depth on one side.
std::optional<double> head_inclination(const Profile& rail, double gauge_height);

struct RailHead {
  GroovedRail grooves;
  std::optional<double> inclination;
};
RailHead head_of(const Profile& rail, double gauge_height);

struct PlacedWheel {
  AxesFrame axle;         // of the wheelset's coordinates, origin in the axle's centre
  AxesFrame in_wheelset;  // of the profile's coordinates, within the wheelset's
  AxesFrame frame;        // of the profile's coordinates
  double radius = 0.0;

  // A point of the round surface through the profile's point (0, y, z), at x along the wheel;
  // in the profile's coordinates.
  [[nodiscard]] Eigen::Vector3d around(const Eigen::Vector3d& point, double x) const;
};

PlacedWheel place_wheel(const Wheelset& wheelset);

}  // namespace slipfield
