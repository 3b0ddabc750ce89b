// SPDX-License-Identifier: Apache-2.0
// Where a wheel comes next to a rail: the contact locus, the gap between it and the rail, and the
// regions in which the two would penetrate each other (THEORY.md 13.3).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/wheel_rail/placement.h"

namespace slipfield {

// The rail as the search samples it, at equal distances in y of the track.
struct RailSamples {
  double start = 0.0;
  double step = 0.0;
  std::vector<double> parameter;  // of the rail's curve; not a number where it has a gap
  std::vector<double> z;          // +infinity there

  [[nodiscard]] std::size_t count() const { return z.size(); }
  [[nodiscard]] double y(std::size_t i) const { return start + step * static_cast<double>(i); }
};
RailSamples sample_rail(const PlacedRail& rail, double step);

// atan2(dz, dy) of the surface at the curve's parameter s.
double inclination(const SplineCurve& curve, double s);

// Where the wheel's circles are lowest, point by point of its profile, in track coordinates; on a
// roller of this curvature: where they are nearest to its circles. The part of the profile that is
// seen from below. InputError where that is less than half of its points.
SplineCurve contact_locus(const Profile& profile, const PlacedWheel& wheel,
                          double roller_curvature = 0.0);

struct GapSamples {
  // Vertical distance at the rail's samples, < 0 where the bodies penetrate each other; +infinity
  // where one of them is missing.
  std::vector<double> gap;
  std::vector<double> x;  // of the locus
  std::vector<double> z;

  // Where the gap is least, with the locus there; nothing where they have no y in common.
  [[nodiscard]] std::optional<CurveSample> least(const RailSamples& rail) const;
};
// `rail`: of `placed`.
GapSamples sample_gap(const PlacedRail& placed, const RailSamples& rail, const SplineCurve& locus);

// A region of penetration; x, y, z in track coordinates.
struct ContactRegion {
  double least_gap = 0.0;  // < 0
  double y_first = 0.0;    // where the gap is 0
  double z_first = 0.0;
  double y_last = 0.0;
  double z_last = 0.0;
  double x_first = 0.0;  // how far the penetration reaches along the rail
  double x_last = 0.0;
  // Centre and inclination, means weighted with the penetration: the reference of the contact.
  double x = 0.0;
  double y = 0.0;
  double angle = 0.0;
  double weight = 0.0;
  bool at_profile_end = false;  // one of the profiles ends before the penetration does
};

// From the field side to the track's centre; those nearer than the settings say are merged.
// `samples`: of `rail`. lower: how much lower the wheel is than in `gap`. `curvature`: of the gap
// along the rail, g = g(y) + curvature (x - x_locus)^2.
std::vector<ContactRegion> find_regions(const PlacedRail& rail, const RailSamples& samples,
                                        const GapSamples& gap, double lower, double curvature,
                                        const PatchSettings& settings);

}  // namespace slipfield
