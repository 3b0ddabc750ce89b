// SPDX-License-Identifier: Apache-2.0
// Where a wheel comes close to a rail: the contact locus, the gap between it and the rail, and the
// regions in which the two would penetrate each other (THEORY.md 13.3).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/wheel_rail/placement.h"

namespace slipfield {

// The rail as the search samples it, at equal steps in y of the track.
struct RailSamples {
  double start = 0.0;
  double step = 0.0;
  std::vector<double> parameter;  // of the rail's curve; NaN in a gap of the rail
  std::vector<double> z;          // +infinity in a gap
  std::vector<double> angle;      // of the surface

  [[nodiscard]] std::size_t count() const { return z.size(); }
  [[nodiscard]] double y(std::size_t i) const { return start + step * static_cast<double>(i); }
};
RailSamples sample_rail(const PlacedRail& rail, double step);

// atan2(dz, dy) of the surface at the curve's parameter s.
double inclination(const SplineCurve& curve, double s);

// The locus of the points where the wheel's circles are lowest or, on a roller of this curvature,
// nearest to its circles, for each point of the part of the profile that is visible from below; in
// track coordinates. Throws InputError if that is less than half of the points.
SplineCurve contact_locus(const Profile& profile, const PlacedWheel& wheel,
                          double roller_curvature = 0.0);

struct GapSamples {
  // Vertical distance at the rail's samples, < 0 where the bodies penetrate each other; +infinity
  // where one of them is missing.
  std::vector<double> gap;
  std::vector<double> x;  // of the locus
  std::vector<double> z;

  // The sample of least gap, with the locus there; nothing if no y has both.
  [[nodiscard]] std::optional<CurveSample> least(const RailSamples& rail) const;
};
// rail: the samples of `placed`.
GapSamples sample_gap(const PlacedRail& placed, const RailSamples& rail, const SplineCurve& locus);

// A region of penetration; x, y, z in track coordinates.
struct ContactRegion {
  double least_gap = 0.0;  // < 0
  double y_first = 0.0;    // y at which the gap is 0
  double z_first = 0.0;
  double y_last = 0.0;
  double z_last = 0.0;
  double x_first = 0.0;  // range of the penetration along the rail
  double x_last = 0.0;
  // Centre and inclination, means weighted with the penetration: reference of the contact.
  double x = 0.0;
  double y = 0.0;
  double angle = 0.0;
  double weight = 0.0;
  bool at_profile_end = false;  // a profile ends before the penetration does
};

// Ordered from the field side to the track's centre; regions closer than the settings allow are
// merged. lower: how much lower the wheel is than in `gap`. curvature: of the gap along the rail,
// g = g(y) + curvature (x - x_locus)^2.
std::vector<ContactRegion> find_regions(const RailSamples& rail, const GapSamples& gap,
                                        double lower, double curvature,
                                        const PatchSettings& settings);

}  // namespace slipfield
