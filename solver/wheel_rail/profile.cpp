// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/profile.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "solver/error.h"
#include "solver/number_text.h"
#include "solver/wheel_rail/profile_points.h"

namespace slipfield {
namespace {

constexpr double kLeastDistance = 1.0e-4;  // [mm] of points that differ
constexpr std::size_t kFewestPoints = 5;
constexpr double kLongestSmoothing = 100.0;  // [mm]

void flip(std::vector<ProfilePoint>& points, double factor_y, double factor_z) {
  for (ProfilePoint& point : points) point = {factor_y * point.y, factor_z * point.z};
}

void order(ProfileRole role, std::vector<ProfilePoint>& points, std::vector<std::string>& notes) {
  const bool ascending = points.front().y < points.back().y;
  if (ascending == (role == ProfileRole::rail)) return;
  std::reverse(points.begin(), points.end());
  notes.emplace_back("the order of the points was reversed");
}

SplineCurve curve_through(const std::vector<ProfilePoint>& points, double smoothing) {
  SplineInput input;
  for (const ProfilePoint& point : points) input.points.emplace_back(0.0, point.y, point.z);
  input.parameter = chord_lengths(input.points);
  input.kinks = find_kinks(points);
  input.smoothing = smoothing;
  const SplineCurve from_start(input);
  // s = 0 at y = 0, or at the end that is next to it.
  const double zero =
      from_start.parameter_at_y(0.0, SeenFrom::above)
          .value_or(std::fabs(points.front().y) < std::fabs(points.back().y) ? 0.0
                                                                             : from_start.last());
  for (double& s : input.parameter) s -= zero;
  return SplineCurve(input);
}

}  // namespace

Profile canonical_profile(ProfileRole role, std::vector<ProfilePoint> points,
                          const ProfileChanges& changes) {
  if (!(changes.scale > 0.0) || !std::isfinite(changes.scale))
    throw InputError("scale " + number_text(changes.scale) + " is not a number above 0");
  if (!(changes.smoothing >= 0.0 && changes.smoothing <= kLongestSmoothing))
    throw InputError("smoothing " + number_text(changes.smoothing) +
                     " is out of range; accepted: a wave length of 0 to 100 mm");
  for (const ProfilePoint& point : points)
    if (!std::isfinite(point.y) || !std::isfinite(point.z))
      throw InputError("a point is not finite");
  std::vector<std::string> notes;
  flip(points, changes.scale, changes.scale);
  drop_repeated(points, kLeastDistance);
  if (points.size() < kFewestPoints)
    throw InputError("has " + std::to_string(points.size()) +
                     " different points; accepted: at least 5");
  check_extent(points);
  if (const std::size_t pairs = join_zigzags(points); pairs > 0)
    notes.push_back(std::to_string(pairs) + " zig-zags were joined");
  std::vector<std::string> warnings = drop_outliers(points);
  if (changes.mirror_y.value_or(false)) flip(points, -1.0, 1.0);
  const bool mirror_z = changes.mirror_z.value_or(is_upside_down(role, points));
  if (mirror_z) flip(points, 1.0, -1.0);
  if (mirror_z && !changes.mirror_z) notes.emplace_back("z pointed up, and was mirrored");
  order(role, points, notes);
  check_gaps(points);
  check_orientation(role, points, changes);
  check_crossings(points);
  if (auto warning = scatter_warning(points, changes.smoothing))
    warnings.push_back(std::move(*warning));
  for (ProfilePoint& point : points) {
    point.y += changes.shift_y;
    point.z += changes.shift_z;
  }
  SplineCurve curve = curve_through(points, changes.smoothing);
  return {role, std::move(points), std::move(curve), std::move(notes), std::move(warnings)};
}

double profile_curvature(const Profile& profile, double s) {
  const Eigen::Vector3d first = profile.curve.tangent(s);
  const Eigen::Vector3d second = profile.curve.second(s);
  const double speed = std::hypot(first.y(), first.z());
  // Walking along a canonical profile the body is on the right hand, seen from behind with z down.
  return (first.y() * second.z() - first.z() * second.y()) / (speed * speed * speed);
}

}  // namespace slipfield
