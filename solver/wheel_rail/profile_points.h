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
// Two points between which the curve turns back and forth (by more than 150 degrees at both), as
// where two measurements were joined, become their mean. Returns how many pairs.
std::size_t join_zigzags(std::vector<ProfilePoint>& points);
// Drops single points that lie off the line of their neighbours like no corner does. Says for each
// where it was and how far off.
std::vector<std::string> drop_outliers(std::vector<ProfilePoint>& points);

// A warning where the points scatter about a smooth curve so much that, after smoothing over the
// wave length [mm], pressures change by more than a thousandth of the contact modulus; else none.
std::optional<std::string> scatter_warning(const std::vector<ProfilePoint>& points,
                                           double smoothing);

// Finds out from the shape whether z points up; false where it cannot be said.
bool is_upside_down(ProfileRole role, const std::vector<ProfilePoint>& points);

// Throw InputError.
void check_extent(const std::vector<ProfilePoint>& points);
void check_gaps(const std::vector<ProfilePoint>& points);
// The remedy depends on what `changes` did already.
void check_orientation(ProfileRole role, const std::vector<ProfilePoint>& points,
                       const ProfileChanges& changes);
void check_crossings(const std::vector<ProfilePoint>& points);

// Inner points where the direction turns by more than 30 degrees while no other point within 2 mm
// turns by more than 6.
std::vector<std::size_t> find_kinks(const std::vector<ProfilePoint>& points);

}  // namespace slipfield
