// SPDX-License-Identifier: Apache-2.0
// A wheel on a rail: the position and motion of both (THEORY.md 13.2).
//
// Lengths in mm, angles in rad, times in s. Track coordinates: x forward, y to the right, z down;
// the origin is on the track's centre line at the wheelset, between the tops of the rails.
#pragma once

#include <array>
#include <numbers>
#include <optional>

#include "solver/wheel_rail/profile.h"

namespace slipfield {

enum class Side { left, right };

// On which of the rail's faces towards the track's centre the gauge is measured: that of its head,
// beyond any groove, or that of the lip on the other side of the groove. automatic: that of the
// highest part, or of the head if a check rail is higher.
enum class GaugeFace { automatic, head, lip };

// One rail of a straight or curved track, or one roller of a roller rig.
struct Track {
  double gauge = 1435.0;
  double gauge_height = 14.0;  // depth below the rail's top at which the gauge is measured
  GaugeFace gauge_face = GaugeFace::automatic;
  // Instead: range of y in the rail's profile that contains its top and its gauge face.
  std::optional<std::array<double, 2>> gauge_between;
  double cant = 0.0;       // of the rail, > 0: leans towards the track's centre
  double curvature = 0.0;  // [1/mm], < 0: a left-hand curve
  // Position of y = z = 0 of the rail's profile in track coordinates, instead of the gauge.
  std::optional<std::array<double, 2>> rail_origin;
  // Radius of a roller instead of the rail, at z = 0 of its profile; 0: a rail. Its axle is one
  // radius below; the profile is not canted, and its z = 0 is at the height of the origin.
  double roller_radius = 0.0;
  double roller_pitch = 0.0;  // its angular velocity; > 0 drives the wheel forward
  // This rail's irregularity: its displacement in track coordinates, and the rate of change of
  // that.
  double rail_y = 0.0;
  double rail_z = 0.0;
  double rail_roll = 0.0;
  double rail_velocity_y = 0.0;
  double rail_velocity_z = 0.0;
  double rail_velocity_roll = 0.0;

  // Whether the rail is in the same place.
  [[nodiscard]] bool places_as(const Track& other) const {
    return gauge == other.gauge && gauge_height == other.gauge_height &&
           gauge_face == other.gauge_face && gauge_between == other.gauge_between &&
           cant == other.cant && rail_origin == other.rail_origin &&
           roller_radius == other.roller_radius && rail_y == other.rail_y &&
           rail_z == other.rail_z && rail_roll == other.rail_roll;
  }
};

struct Wheelset {
  double flange_back_distance = 1360.0;
  double flange_back_position = -70.0;  // y of the flange's back in the wheel's profile
  double nominal_radius = 460.0;        // at z = 0 of the wheel's profile
  // Position along the track, for a rail that changes along it; the origin of track coordinates.
  double x = 0.0;
  // The axle's centre relative to the track's centre and the nominal height: z > 0 is lower.
  double y = 0.0;
  double z = 0.0;
  double roll = 0.0;
  double yaw = 0.0;
  double velocity_x = 0.0;  // of the axle's centre
  double velocity_y = 0.0;
  double velocity_z = 0.0;
  double velocity_roll = 0.0;
  double velocity_pitch = 0.0;  // < 0 rolls forward
  double velocity_yaw = 0.0;

  // Whether the wheels are in the same place, apart from the height.
  [[nodiscard]] bool is_above(const Wheelset& other) const {
    return flange_back_distance == other.flange_back_distance &&
           flange_back_position == other.flange_back_position &&
           nominal_radius == other.nominal_radius && y == other.y && roll == other.roll &&
           yaw == other.yaw;
  }
};

struct PatchSettings {
  double spacing_x = 0.2;
  double spacing_y = 0.2;
  double merge_distance = 8.0;  // largest distance of two regions that form one patch
  double merge_angle = 0.5 * std::numbers::pi;
  // Contacts lie in a curved surface between rail and wheel, not in a plane (THEORY.md 13.11).
  bool conformal = false;
  // Elements of all steps are on one lattice, so that contacts keep their state (THEORY.md 13.16).
  bool lattice = false;
};

struct WheelRailPosition {
  Side side = Side::right;
  Track track;
  Wheelset wheelset;
  // Nothing rolls: the velocities of wheelset, rail and roller are displacements and rotations that
  // shift the bodies against each other in one step.
  bool shifts = false;
  // > 0: transient rolling over this distance [mm], continuing from the step before; 0: steady.
  double rolled = 0.0;
};

// Mirrors in a plane along the track: exchanges left and right.
WheelRailPosition mirrored(const WheelRailPosition& position);

}  // namespace slipfield
