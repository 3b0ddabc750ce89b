// SPDX-License-Identifier: Apache-2.0
// The parts of canonical_profile() (profile.h): what is done to the points, and what is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solver/wheel_rail/profile.h"

namespace slipfield {

// Drops points that are closer to their predecessor than `least`.
void drop_repeated(std::vector<ProfilePoint>& points, double least);
// Drops what a scanner writes where it measured nothing: several points at exactly one height, each
// apart from those next to it. Returns a warning for each such height.
std::vector<std::string> drop_fill_values(std::vector<ProfilePoint>& points);
// Two points between which the curve turns back and forth (by more than 150 degrees at both), as
// where two measurements were joined, become their mean. Returns how many pairs.
std::size_t join_zigzags(std::vector<ProfilePoint>& points);
// Drops single points that lie off the line of their neighbours like no corner does, where points
// are no more than 2 mm apart: farther ones are the shape. Says for each where it was and how far
// off.
std::vector<std::string> drop_outliers(std::vector<ProfilePoint>& points);

// The median distance of points [mm], and whether noise and shape look the same at that distance: a
// table of some twenty or thirty points of a whole profile.
double median_spacing(const std::vector<ProfilePoint>& points);
bool is_coarse(const std::vector<ProfilePoint>& points);

// How much points scatter about a smooth curve, where that is so much that, after smoothing over
// the wave length [mm], pressures change by more than a thousandth of the contact modulus; else
// nothing.
struct ProfileScatter {
  double deviation = 0.0;  // [mm], standard
  double pressure = 0.0;   // of the contact modulus
  double smoothing = 0.0;  // [mm] that would suffice
};
std::optional<ProfileScatter> find_scatter(const std::vector<ProfilePoint>& points,
                                           double smoothing);
// [mm] Standard deviation of points about a smooth curve, by their median; 0 of too few points.
double scatter_of(const std::vector<ProfilePoint>& points);

// Whether z points down, from the shape: a wheel's flange hangs down, as do two with a tread
// between them, and most of a rail's width is near its top, which one of its ends is not. `why`:
// with the numbers.
struct ZDirection {
  enum Is { down, up, unknown };
  Is is = unknown;
  std::string why;
};
ZDirection find_z_direction(ProfileRole role, const std::vector<ProfilePoint>& points);

// Throws InputError; guess_unit: with the unit that the length would fit.
void check_extent(const std::vector<ProfilePoint>& points, bool guess_unit);
// A warning where the profile is narrower than usual, with the units in which it would have a usual
// size; points in mm. With the unit that the case says: where the size is unusual and another unit
// fits.
std::optional<std::string> size_warning(ProfileRole role, const std::vector<ProfilePoint>& points,
                                        std::optional<LengthUnit> said);
// Straight lines that a file gives by their ends, such as flange backs, get points, whose numbers
// it returns. Throws InputError where points are missing, and warns where they may be.
std::vector<std::size_t> fill_straight_lines(std::vector<ProfilePoint>& points,
                                             std::vector<std::string>& notes,
                                             std::vector<std::string>& warnings);
// A wheel whose only flange is on the field side: throws InputError, or where mirror_y is given
// warns. Of canonical points.
std::optional<std::string> check_flange(ProfileRole role, const std::vector<ProfilePoint>& points,
                                        const ProfileChanges& changes);
// Profile::flange_angle from canonical points of a wheel.
double find_flange_angle(const std::vector<ProfilePoint>& points);
void check_crossings(const std::vector<ProfilePoint>& points);

// Where a profile is not smooth. It turns there by more than the distance of its points over 5 mm
// (at least 10 degrees, at most 30; 30 where points are coarse), and nearby by no more than a fifth
// of this angle.
struct ProfileCuts {
  std::vector<std::size_t> kinks;  // inner points
  // Inner points i that turn so together with i + 1, each to the same side: a corner between them,
  // or a radius that no point lies on.
  std::vector<std::size_t> corners;
};
ProfileCuts find_cuts(const std::vector<ProfilePoint>& points, bool coarse);

std::string short_text(double value);  // two digits

}  // namespace slipfield
