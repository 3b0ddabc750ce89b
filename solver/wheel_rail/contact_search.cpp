// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/contact_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kLeastForward = 1.0e-6;           // least |dy/ds| for which a slope is formed
constexpr double kLocusTurn = 0.3249196962329063;  // tan 18 degrees
constexpr double kLeastShare = 0.5;                // share of the wheel's points that must remain
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The range [first, last] of knots around the middle of the wheel's curve within which y, seen
// along the track, does not turn back.
std::pair<std::size_t, std::size_t> visible_knots(const SplineCurve& curve,
                                                  const PlacedWheel& wheel) {
  const std::vector<double>& knots = curve.knots();
  const Eigen::Vector3d across = wheel.frame.rotation.row(1);
  const auto y = [&](std::size_t i) { return across.dot(curve.at_knot(i)); };
  const double middle = 0.5 * (y(0) + y(knots.size() - 1));
  std::size_t start = 0;
  for (std::size_t i = 1; i < knots.size(); ++i)
    if (std::fabs(y(i) - middle) < std::fabs(y(start) - middle)) start = i;
  const auto falls = [&](std::size_t i) { return across.dot(curve.tangent_at_knot(i)) < 0.0; };
  std::size_t first = start;
  while (first > 0 && y(first - 1) > y(first) && falls(first - 1)) --first;
  std::size_t last = start;
  while (last + 1 < knots.size() && y(last + 1) < y(last) && falls(last + 1)) ++last;
  return {first, last};
}

double distance(const ContactRegion& a, const ContactRegion& b) {
  const double dx = std::max({0.0, a.x_first - b.x_last, b.x_first - a.x_last});
  const bool b_is_right = b.y > a.y;
  const double dy = b_is_right ? b.y_first - a.y_last : a.y_first - b.y_last;
  if (dy <= 0.0) return dx;
  const double dz = b_is_right ? b.z_first - a.z_last : a.z_first - b.z_last;
  return std::sqrt(dx * dx + dy * dy + dz * dz);
}

ContactRegion merged(const ContactRegion& a, const ContactRegion& b) {
  ContactRegion result = a;
  const ContactRegion& left = a.y_first < b.y_first ? a : b;
  const ContactRegion& right = a.y_last > b.y_last ? a : b;
  result.y_first = left.y_first;
  result.z_first = left.z_first;
  result.y_last = right.y_last;
  result.z_last = right.z_last;
  result.x_first = std::min(a.x_first, b.x_first);
  result.x_last = std::max(a.x_last, b.x_last);
  result.least_gap = std::min(a.least_gap, b.least_gap);
  result.weight = a.weight + b.weight;
  result.at_profile_end = a.at_profile_end || b.at_profile_end;
  const auto mean = [&](double u, double v) {
    return (a.weight * u + b.weight * v) / result.weight;
  };
  result.x = mean(a.x, b.x);
  result.y = mean(a.y, b.y);
  result.angle = mean(a.angle, b.angle);
  return result;
}

void merge_neighbours(std::vector<ContactRegion>& regions, const PatchSettings& settings) {
  for (std::size_t i = 0; i + 1 < regions.size();) {
    const ContactRegion& a = regions[i];
    const ContactRegion& b = regions[i + 1];
    if (distance(a, b) > settings.merge_distance ||
        std::fabs(a.angle - b.angle) > settings.merge_angle) {
      ++i;
      continue;
    }
    regions[i] = merged(a, b);
    regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

// The region of the samples [first, last], where g < `lower`.
ContactRegion region_of(const RailSamples& rail, const GapSamples& gap, double lower,
                        double curvature, std::size_t first, std::size_t last) {
  ContactRegion region;
  // Finds where g passes 0 between the sample inside and the one outside.
  const auto edge = [&](std::size_t inside, std::size_t outside, double& y, double& z) {
    const double g = gap.gap[outside] - lower;
    const double deep = gap.gap[inside] - lower;
    region.at_profile_end = region.at_profile_end || outside == inside || !std::isfinite(g);
    const double share = std::isfinite(g) ? deep / (deep - g) : 0.0;
    y = rail.y(inside) + share * (rail.y(outside) - rail.y(inside));
    z = rail.z[inside];
    if (std::isfinite(g)) z += share * (rail.z[outside] - rail.z[inside]);
  };
  edge(first, first > 0 ? first - 1 : first, region.y_first, region.z_first);
  edge(last, last + 1 < rail.count() ? last + 1 : last, region.y_last, region.z_last);
  region.x_first = kInfinity;
  region.x_last = -kInfinity;
  for (std::size_t i = first; i <= last; ++i) {
    const double depth = lower - gap.gap[i];
    const double half_length = std::sqrt(depth / curvature);
    const double weight = depth * depth * half_length;
    region.weight += weight;
    region.x += weight * gap.x[i];
    region.y += weight * rail.y(i);
    region.angle += weight * rail.angle[i];
    region.least_gap = std::min(region.least_gap, -depth);
    region.x_first = std::min(region.x_first, gap.x[i] - half_length);
    region.x_last = std::max(region.x_last, gap.x[i] + half_length);
  }
  for (double* mean : {&region.x, &region.y, &region.angle}) *mean /= region.weight;
  return region;
}

}  // namespace

RailSamples sample_rail(const PlacedRail& rail, double step) {
  const SplineCurve& curve = rail.curve;
  const double start = curve.at(curve.least(1, curve.first(), curve.last())).y();
  double end = start;
  for (std::size_t i = 0; i < curve.knots().size(); ++i) end = std::max(end, curve.at_knot(i).y());
  RailSamples samples{start, step, {}, {}, {}};
  const auto count = static_cast<std::size_t>(std::floor((end - start) / step)) + 1;
  samples.parameter.reserve(count);
  samples.z.reserve(count);
  samples.angle.reserve(count);
  for (const CurvePoint& point : curve.points_at_y(start, step, count, SeenFrom::above)) {
    samples.parameter.push_back(point.s);
    const bool exists = !std::isnan(point.s);
    samples.z.push_back(exists ? point.at.z() : kInfinity);
    samples.angle.push_back(exists ? inclination(curve, point.s) : 0.0);
  }
  return samples;
}

double inclination(const SplineCurve& curve, double s) {
  const Eigen::Vector3d tangent = curve.tangent(s);
  return std::atan2(tangent.z(), tangent.y());
}

SplineCurve contact_locus(const Profile& profile, const PlacedWheel& wheel,
                          double roller_curvature) {
  const SplineCurve& curve = profile.curve;
  const std::vector<double>& knots = curve.knots();
  const auto [first, last] = visible_knots(curve, wheel);
  if (static_cast<double>(last - first + 1) < kLeastShare * static_cast<double>(knots.size()))
    throw InputError(
        "more than half of the wheel's profile is hidden behind the rest of it; accepted: a "
        "profile whose tread faces down, and a roll angle well below 90 degrees");
  const Eigen::Matrix3d& m = wheel.frame.rotation;
  SplineInput input;
  for (std::size_t i = first; i <= last; ++i) {
    const Eigen::Vector3d point = curve.at_knot(i);
    const Eigen::Vector3d tangent = curve.tangent_at_knot(i);
    const double slope = tangent.z() / std::min(-kLeastForward, tangent.y());
    const double radius = wheel.radius + point.z();
    const double offset = wheel.frame.out(wheel.around(point, 0.0)).x();  // from the roller's axle
    const double x =
        (radius * slope * m(0, 1) - wheel.radius * m(0, 2) - radius * roller_curvature * offset) /
        (m(0, 0) * (1.0 + radius * roller_curvature));
    const double limit = 0.5 * wheel.radius;
    input.points.push_back(wheel.frame.out(wheel.around(point, std::clamp(x, -limit, limit))));
  }
  input.parameter = chord_lengths(input.points);
  for (std::size_t i = 1; i + 1 < input.points.size(); ++i) {
    const Eigen::Vector3d a = input.points[i] - input.points[i - 1];
    const Eigen::Vector3d b = input.points[i + 1] - input.points[i];
    const double across = a.y() * b.x() / 10.0 - a.x() / 10.0 * b.y();
    const double along = a.y() * b.y() + a.x() * b.x() / 100.0;
    if (std::fabs(across) > kLocusTurn * along) input.kinks.push_back(i);
  }
  return SplineCurve(input);
}

GapSamples sample_gap(const PlacedRail& placed, const RailSamples& rail, const SplineCurve& locus) {
  const std::vector<CurvePoint> points =
      locus.points_at_y(rail.start, rail.step, rail.count(), SeenFrom::below);
  GapSamples samples;
  samples.gap.assign(rail.count(), kInfinity);
  samples.x.assign(rail.count(), 0.0);
  samples.z.assign(rail.count(), 0.0);
  for (std::size_t i = 0; i < rail.count(); ++i) {
    if (std::isnan(points[i].s) || !std::isfinite(rail.z[i])) continue;
    const Eigen::Vector3d& point = points[i].at;
    samples.x[i] = point.x();
    samples.z[i] = point.z();
    samples.gap[i] = rail.z[i] + placed.drop(rail.z[i], point.x()) - point.z();
  }
  return samples;
}

std::optional<CurveSample> GapSamples::least(const RailSamples& rail) const {
  const auto k = static_cast<std::size_t>(std::min_element(gap.begin(), gap.end()) - gap.begin());
  if (k == gap.size() || !std::isfinite(gap[k])) return std::nullopt;
  return CurveSample{k, {std::numeric_limits<double>::quiet_NaN(), {x[k], rail.y(k), z[k]}}};
}

std::vector<ContactRegion> find_regions(const RailSamples& rail, const GapSamples& gap,
                                        double lower, double curvature,
                                        const PatchSettings& settings) {
  std::vector<ContactRegion> regions;
  std::size_t i = 0;
  while (i < gap.gap.size()) {
    if (!(gap.gap[i] - lower < 0.0)) {
      ++i;
      continue;
    }
    const std::size_t first = i;
    while (i < gap.gap.size() && gap.gap[i] - lower < 0.0) ++i;
    regions.push_back(region_of(rail, gap, lower, curvature, first, i - 1));
  }
  std::reverse(regions.begin(), regions.end());  // the field side has the greatest y
  merge_neighbours(regions, settings);
  return regions;
}

}  // namespace slipfield
