// SPDX-License-Identifier: Apache-2.0
// Profiles of wheels and rails: from the points of a file to the canonical form used to compute the
// contact (THEORY.md 13.1).
//
// Canonical: z down, y towards the field side of a right wheel or rail. Rail points have y
// ascending (gauge side first), wheel points y descending (field side first, flange last).
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "solver/wheel_rail/spline_curve.h"

namespace slipfield {

enum class ProfileRole { rail, wheel };

struct ProfilePoint {
  double y = 0.0;
  double z = 0.0;
};

enum class LengthUnit { millimetre, centimetre, metre, inch };
double millimetres(LengthUnit unit);

// Changes to the points that the file's conventions or the user require, applied in this order.
// What is given is applied, whatever the shape looks like.
struct ProfileChanges {
  std::optional<bool> mirror_y{};    // empty: no
  std::optional<bool> mirror_z{};    // empty: decided by the shape
  std::optional<LengthUnit> unit{};  // of the points; empty: mm
  double scale = 1.0;                // > 0: to mm
  double shift_y = 0.0;              // [mm], added last
  double shift_z = 0.0;
  double smoothing = 0.0;  // wavelength [mm], see SplineInput
};

struct Profile {
  ProfileRole role = ProfileRole::rail;
  std::vector<ProfilePoint> points;  // canonical [mm]
  SplineCurve curve;                 // x = 0; through the points, or smoothed; s = 0 at y = 0
  // Changes that the file does not mention: points left out, reversed order, ...
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  // [rad] The greatest inclination of a wheel's flange towards its tread, over 2 mm of it; NaN for
  // a rail, or a wheel without a flange towards the track's centre.
  double flange_angle = std::numeric_limits<double>::quiet_NaN();
  double smoothing = 0.0;               // wavelength of the curve's smoothing [mm]
  std::vector<std::size_t> kinks = {};  // points at which the curve is cut
  std::vector<std::size_t> corners =
      {};  // points between which and the next one it turns: SplineInput
  std::vector<std::size_t> added =
      {};                 // points of straight lines that the file gives by their ends
  bool reversed = false;  // the points run against the order of the file
};

// Throws InputError with one sentence, without the file's name: too few points, not in mm, a gap, a
// wheel with its flange on the field side unless mirror_y is given, a curve that crosses itself.
Profile canonical_profile(ProfileRole role, std::vector<ProfilePoint> points,
                          const ProfileChanges& changes);

// The profile with its points slightly moved: smoothed and cut like the original, but not checked
// again.
Profile with_points(const Profile& profile, std::vector<ProfilePoint> points);

// Curvature of the profile at s [1/mm], positive where the surface is convex.
double profile_curvature(const Profile& profile, double s);

}  // namespace slipfield
