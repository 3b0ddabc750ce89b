// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/profile.h"

#include <algorithm>
#include <cmath>
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

// Returns whether it reversed the points.
bool order(ProfileRole role, std::vector<ProfilePoint>& points, std::vector<std::string>& notes) {
  const bool ascending = points.front().y < points.back().y;
  if (ascending == (role == ProfileRole::rail)) return false;
  std::reverse(points.begin(), points.end());
  notes.emplace_back("the order of the points was reversed");
  return true;
}

SplineCurve curve_through(const std::vector<ProfilePoint>& points, double smoothing,
                          const ProfileCuts& cuts) {
  SplineInput input;
  for (const ProfilePoint& point : points) input.points.emplace_back(0.0, point.y, point.z);
  input.parameter = chord_lengths(input.points);
  input.kinks = cuts.kinks;
  input.corners = cuts.corners;
  input.smoothing = smoothing;
  const SplineCurve from_start(input);
  // s = 0 at y = 0, or at the end nearest to it.
  const double zero =
      from_start.parameter_at_y(0.0, SeenFrom::above)
          .value_or(std::fabs(points.front().y) < std::fabs(points.back().y) ? 0.0
                                                                             : from_start.last());
  for (double& s : input.parameter) s -= zero;
  return SplineCurve(input);
}

constexpr double kMoreThanScatter = 2.0;  // times the scatter, which is a median's

// [mm] Root mean square distance by which a smoothing moves the points.
double moved_by(const std::vector<ProfilePoint>& points, double smoothing, bool coarse) {
  const SplineCurve curve = curve_through(points, smoothing, find_cuts(points, coarse));
  double sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector3d at = curve.at_knot(i);
    sum += std::pow(at.y() - points[i].y, 2.0) + std::pow(at.z() - points[i].z, 2.0);
  }
  return std::sqrt(sum / static_cast<double>(points.size()));
}

// Whether the smoothing that would suffice keeps the shape: it removes the scatter and no more.
bool keeps_shape(const std::vector<ProfilePoint>& points, const ProfileScatter& scatter) {
  constexpr double kLongest = 10.0;  // [mm] of a wave: a gauge corner is not much longer
  return scatter.smoothing <= kLongest &&
         moved_by(points, scatter.smoothing, false) <= kMoreThanScatter * scatter.deviation;
}

// Warns if the case's smoothing removes more than the scatter.
void warn_of_smoothing(const std::vector<ProfilePoint>& points, double smoothing, bool coarse,
                       std::vector<std::string>& warnings) {
  if (smoothing == 0.0) return;
  constexpr double kLeast = 0.005;  // [mm]: less changes no contact
  const double moved = moved_by(points, smoothing, coarse);
  const double scatter = coarse ? 0.0 : scatter_of(points);
  if (moved <= std::max(kLeast, kMoreThanScatter * scatter)) return;
  warnings.push_back("smoothing: " + short_text(smoothing) + " moves the points by " +
                     short_text(moved) + " mm (root of the mean square), " +
                     (coarse ? "which lie too far apart to show any scatter"
                             : "where they scatter by " + short_text(scatter) + " mm") +
                     ": it changes the shape; a shorter wave length, or none");
}

void warn_of_scatter(const std::vector<ProfilePoint>& points, double smoothing, bool coarse,
                     std::vector<std::string>& warnings) {
  if (coarse) {  // noise and shape look the same
    warnings.push_back("the points are " + short_text(median_spacing(points)) +
                       " mm apart (median), so that the curvature between them is interpolated");
    return;
  }
  const auto scatter = find_scatter(points, smoothing);
  if (!scatter) return;
  constexpr double kSteel = 1.14e5;  // E* of two bodies [N/mm^2]
  std::string text = "the points scatter by about " + short_text(scatter->deviation) +
                     " mm about a smooth curve, so that the greatest pressure may be off by " +
                     short_text(scatter->pressure) + " of the contact modulus, " +
                     short_text(scatter->pressure * kSteel) + " N/mm^2 between steel bodies; ";
  text += keeps_shape(points, *scatter)
              ? "a smoothing of some " + short_text(scatter->smoothing) + " mm, or better points"
              : "better points: a smoothing long enough would change the shape itself";
  warnings.push_back(std::move(text));
}

// Turns z as requested, or as the shape suggests; a request is followed even if the shape looks
// otherwise. Returns a warning.
std::optional<std::string> turn_upright(ProfileRole role, const ProfileChanges& changes,
                                        std::vector<ProfilePoint>& points,
                                        std::vector<std::string>& notes) {
  const ZDirection found = find_z_direction(role, points);
  const bool mirror = changes.mirror_z.value_or(found.is == ZDirection::up);
  if (mirror) flip(points, 1.0, -1.0);
  if (changes.mirror_z) {
    if (found.is != (mirror ? ZDirection::down : ZDirection::up)) return std::nullopt;
    return std::string("looks upside down with mirror_z: ") + (mirror ? "true" : "false") +
           " (z points down here): in the file " + found.why;
  }
  if (found.is == ZDirection::unknown) {
    constexpr double kHigh = 20.0;  // [mm], more than rollers without a flange have
    const bool is_rail = role == ProfileRole::rail;
    const auto [low, high] =
        std::ranges::minmax_element(points, {}, [](const ProfilePoint& point) { return point.z; });
    const bool is_other =
        high->z - low->z > kHigh &&
        find_z_direction(is_rail ? ProfileRole::wheel : ProfileRole::rail, points).is !=
            ZDirection::unknown;
    return "the shape does not show whether z points up (" + found.why +
           "); z is taken as it is. Give mirror_z: false or true" +
           (is_other ? std::string(". Is it the profile of a ") + (is_rail ? "wheel?" : "rail?")
                     : "");
  }
  notes.push_back(mirror
                      ? "z points up by the shape (" + found.why +
                            "), and is mirrored; mirror_z: false leaves it"
                      : "z points down by the shape (" + found.why + "); mirror_z: true turns it");
  return std::nullopt;
}

}  // namespace

double millimetres(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::millimetre:
      return 1.0;
    case LengthUnit::centimetre:
      return 10.0;
    case LengthUnit::metre:
      return 1000.0;
    case LengthUnit::inch:
      return 25.4;
  }
  return 1.0;
}

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
  const double scale = changes.scale * (changes.unit ? millimetres(*changes.unit) : 1.0);
  flip(points, scale, scale);
  drop_repeated(points, kLeastDistance);
  const auto require_points = [&](const char* which) {
    if (points.size() < kFewestPoints)
      throw InputError("has " + std::to_string(points.size()) + which +
                       " points; accepted: at least 5");
  };
  require_points(" different");
  std::vector<std::string> warnings;
  for (std::string& warning : drop_fill_values(points)) warnings.push_back(std::move(warning));
  if (!warnings.empty()) require_points(" measured");
  check_extent(points, !changes.unit);
  check_open(role, points);
  auto other_unit = changes.scale != 1.0 ? std::nullopt : size_warning(role, points, changes.unit);
  if (other_unit) warnings.push_back(*other_unit);
  const bool coarse = is_coarse(points);
  if (const std::size_t pairs = join_zigzags(points); pairs > 0)
    notes.push_back(std::to_string(pairs) + " zig-zags were joined");
  if (!coarse)
    for (std::string& warning : drop_outliers(points)) warnings.push_back(std::move(warning));
  if (changes.mirror_y.value_or(false)) flip(points, -1.0, 1.0);
  if (auto warning = turn_upright(role, changes, points, notes); warning && !other_unit)
    warnings.push_back(std::move(*warning));
  const bool reversed = order(role, points, notes);
  std::vector<std::size_t> added = fill_straight_lines(points, notes, warnings);
  if (auto warning = check_flange(role, points, changes)) warnings.push_back(std::move(*warning));
  check_crossings(points);
  warn_of_scatter(points, changes.smoothing, coarse, warnings);
  warn_of_smoothing(points, changes.smoothing, coarse, warnings);
  for (ProfilePoint& point : points) {
    point.y += changes.shift_y;
    point.z += changes.shift_z;
  }
  ProfileCuts cuts = find_cuts(points, coarse);
  SplineCurve curve = curve_through(points, changes.smoothing, cuts);
  for (const std::size_t i : cuts.corners)
    notes.push_back("turns between (" + number_text(points[i].y) + ", " + number_text(points[i].z) +
                    ") and (" + number_text(points[i + 1].y) + ", " + number_text(points[i + 1].z) +
                    "), and is rounded there");
  const double flange = role == ProfileRole::wheel ? find_flange_angle(points)
                                                   : std::numeric_limits<double>::quiet_NaN();
  return {role,
          std::move(points),
          std::move(curve),
          std::move(notes),
          std::move(warnings),
          flange,
          changes.smoothing,
          std::move(cuts.kinks),
          std::move(cuts.corners),
          std::move(added),
          reversed};
}

Profile with_points(const Profile& profile, std::vector<ProfilePoint> points) {
  Profile changed = profile;
  changed.curve = curve_through(points, profile.smoothing, {profile.kinks, profile.corners});
  changed.points = std::move(points);
  return changed;
}

double profile_curvature(const Profile& profile, double s) {
  const Eigen::Vector3d first = profile.curve.tangent(s);
  const Eigen::Vector3d second = profile.curve.second(s);
  const double speed = std::hypot(first.y(), first.z());
  // Walking along a canonical profile the body is on the right hand, seen from behind with z down.
  return (first.y() * second.z() - first.z() * second.y()) / (speed * speed * speed);
}

}  // namespace slipfield
