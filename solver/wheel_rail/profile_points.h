// SPDX-License-Identifier: Apache-2.0
// The parts of canonical_profile() (profile.h): changes to the points, and refusals.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solver/wheel_rail/profile.h"

namespace slipfield {

// Drops points that are closer to their predecessor than `least`.
void drop_repeated(std::vector<ProfilePoint>& points, double least);
// Drops what a scanner writes where it measured nothing: several points at exactly the same height,
// each distant from its neighbours. Returns a warning for each such height.
std::vector<std::string> drop_fill_values(std::vector<ProfilePoint>& points);
// Replaces two points between which the curve turns back and forth (by more than 150 degrees at
// both), as where two measurements were joined, by their mean. Returns the number of pairs.
std::size_t join_zigzags(std::vector<ProfilePoint>& points);
// Drops single points that are farther off the line of their neighbours than any corner, where
// points are at most 2 mm apart: wider spacing counts as shape. Returns for each where it was and
// how far off.
std::vector<std::string> drop_outliers(std::vector<ProfilePoint>& points);

// The median distance of points [mm]; and whether noise and shape cannot be distinguished at that
// distance: a table of some twenty or thirty points for a whole profile.
double median_spacing(const std::vector<ProfilePoint>& points);
bool is_coarse(const std::vector<ProfilePoint>& points);

// Scatter of points about a smooth curve, if it is so large that even after smoothing over the
// wavelength [mm] pressures change by more than a thousandth of the contact modulus; else nothing.
struct ProfileScatter {
  double deviation = 0.0;  // standard deviation [mm]
  double pressure = 0.0;   // change relative to the contact modulus
  double smoothing = 0.0;  // wavelength [mm] that would suffice
};
std::optional<ProfileScatter> find_scatter(const std::vector<ProfilePoint>& points,
                                           double smoothing);
// [mm] Standard deviation of points about a smooth curve, estimated by their median; 0 for too few
// points.
double scatter_of(const std::vector<ProfilePoint>& points);

// Whether z points down, judged by the shape: a wheel's flange hangs down, as do two with a tread
// between them; most of a rail's width is near its top, while one of its ends is not. why: the
// reason with numbers.
struct ZDirection {
  enum Is { down, up, unknown };
  Is is = unknown;
  std::string why;
};
ZDirection find_z_direction(ProfileRole role, const std::vector<ProfilePoint>& points);

// Throws InputError; guess_unit: name the unit that the length would fit.
void check_extent(const std::vector<ProfilePoint>& points, bool guess_unit);
// Throws InputError if the points end where they begin: where an outline was cut open does not say
// which of its points face the other body.
void check_open(ProfileRole role, const std::vector<ProfilePoint>& points);
// A warning if the profile is narrower than usual, with the units in which it would have a usual
// size; points in mm. said: unit given by the case; the warning then needs an unusual size and
// another unit that fits.
std::optional<std::string> size_warning(ProfileRole role, const std::vector<ProfilePoint>& points,
                                        std::optional<LengthUnit> said);
// Adds points to straight lines that a file gives only by their ends, such as flange backs, and
// returns their numbers. Throws InputError if points are missing, and warns if they may be.
std::vector<std::size_t> fill_straight_lines(std::vector<ProfilePoint>& points,
                                             std::vector<std::string>& notes,
                                             std::vector<std::string>& warnings);
// For a wheel whose only flange is on the field side: throws InputError, or returns a warning if
// mirror_y is given. Needs canonical points.
std::optional<std::string> check_flange(ProfileRole role, const std::vector<ProfilePoint>& points,
                                        const ProfileChanges& changes);
// Computes Profile::flange_angle from canonical points of a wheel.
double find_flange_angle(const std::vector<ProfilePoint>& points);
void check_crossings(const std::vector<ProfilePoint>& points);

// Where a profile is not smooth: it turns there by more than the distance of its points over 5 mm
// (at least 10 degrees, at most 30; 30 for coarse points), and nearby by no more than a fifth of
// that angle.
struct ProfileCuts {
  std::vector<std::size_t> kinks;  // inner points
  // Inner points i that turn by that much together with i + 1, each to the same side: a corner
  // between them, or a radius without points on it.
  std::vector<std::size_t> corners;
};
ProfileCuts find_cuts(const std::vector<ProfilePoint>& points, bool coarse);

std::string short_text(double value);  // two digits

}  // namespace slipfield
