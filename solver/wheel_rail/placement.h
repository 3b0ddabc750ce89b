// SPDX-License-Identifier: Apache-2.0
// Rail and wheel in track coordinates, for the right side (THEORY.md 13.2).
#pragma once

#include <Eigen/Core>
#include <optional>

#include "solver/wheel_rail/wheel_rail.h"

namespace slipfield {

struct PlacedRail {
  AxesFrame frame;           // of the profile's coordinates
  SplineCurve curve;         // in track coordinates
  double gauge_point = 0.0;  // y in the profile turned by the cant; unused if placed by its origin
  // The profile starts above the gauge height, so its first point serves as gauge point.
  bool gauge_point_is_end = false;
  double roller_radius = 0.0;  // 0: a straight rail along x

  // How much lower the surface through a point of height z is at x than at x = 0.
  [[nodiscard]] double drop(double z, double x) const;
  // [rad] By how much a roller's profile is turned about its axle so that the point of height z is
  // at x; 0 on a rail.
  [[nodiscard]] double turn_to(double z, double x) const;
  // A frame turned so with the profile, and turned back; unchanged on a rail.
  [[nodiscard]] AxesFrame turned(const AxesFrame& at_top, double turn) const;
  [[nodiscard]] AxesFrame at_top(const AxesFrame& turned, double turn) const {
    return this->turned(turned, -turn);
  }
  // The curvature of the surface along x.
  [[nodiscard]] double curvature() const { return roller_radius > 0.0 ? 1.0 / roller_radius : 0.0; }
};

// track: that of the right side.
PlacedRail place_rail(const Profile& rail, const Track& track);

// A rail whose grooves are deeper than `gauge_height` below the adjacent tops: the widths, at that
// depth, of its widest part and of the parts beyond its grooves; 0 if there is none.
struct GroovedRail {
  double head = 0.0;
  double gauge_side = 0.0;
  double field_side = 0.0;
};
GroovedRail grooves_of(const Profile& rail, double gauge_height);

// [rad] How far the head leans towards the track's centre in the given points: the slope on the
// axis half-way between its faces at `gauge_height` below the top, where an upright head is level.
// Nothing if the profile ends above that depth on one side.
std::optional<double> head_inclination(const Profile& rail, double gauge_height);

struct RailHead {
  GroovedRail grooves;
  std::optional<double> inclination;
};
RailHead head_of(const Profile& rail, double gauge_height);

struct PlacedWheel {
  AxesFrame axle;         // of the wheelset's coordinates, origin at the axle's centre
  AxesFrame in_wheelset;  // of the profile's coordinates, within the wheelset's
  AxesFrame frame;        // of the profile's coordinates
  double radius = 0.0;

  // A point on the round surface through the profile's point (0, y, z), at x along the wheel, in
  // the profile's coordinates.
  [[nodiscard]] Eigen::Vector3d around(const Eigen::Vector3d& point, double x) const;
};

PlacedWheel place_wheel(const Wheelset& wheelset);

}  // namespace slipfield
