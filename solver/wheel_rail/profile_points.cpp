// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/profile_points.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kZigzag = 150.0 * kDegree;
constexpr double kKinkHigh = 30.0 * kDegree;
constexpr double kKinkLow = 6.0 * kDegree;
constexpr double kKinkWidth = 2.0;       // [mm]
constexpr double kLeastOutlier = 0.05;   // [mm] off the neighbours' line
constexpr double kOutlierShare = 0.25;   // of it, seen at the neighbours the other way
constexpr double kMostScatter = 1.0e-3;  // of pressures over the contact modulus
constexpr double kShortest = 5.0;        // [mm] of a profile's length
constexpr double kLongest = 500.0;
constexpr double kWidestGap = 5.0;       // [mm] between points ...
constexpr double kGapOverMedian = 20.0;  // ... that are usually this much closer
constexpr double kFlangeShare = 0.1;     // of a wheel's width, from its middle to the flange's tip
constexpr double kHighRise = 0.5;        // [mm] that the shape of an end must tell

std::string text(const char* format, double a, double b = 0.0, double c = 0.0) {
  char buffer[200];
  const int size = std::snprintf(buffer, sizeof buffer, format, a, b, c);
  return {buffer, static_cast<std::size_t>(std::max(size, 0))};
}

double distance(const ProfilePoint& a, const ProfilePoint& b) {
  return std::hypot(b.y - a.y, b.z - a.z);
}

// Signed angle by which the direction turns at an inner point.
double turn(const std::vector<ProfilePoint>& points, std::size_t i) {
  const ProfilePoint& p = points[i];
  const double ay = p.y - points[i - 1].y;
  const double az = p.z - points[i - 1].z;
  const double by = points[i + 1].y - p.y;
  const double bz = points[i + 1].z - p.z;
  return std::atan2(ay * bz - az * by, ay * by + az * bz);
}

// Signed distance of an inner point from the line through its neighbours.
double offset(const std::vector<ProfilePoint>& points, std::size_t i) {
  const ProfilePoint& a = points[i - 1];
  const ProfilePoint& b = points[i + 1];
  const double length = distance(a, b);
  if (length == 0.0) return 0.0;
  return ((b.y - a.y) * (points[i].z - a.z) - (b.z - a.z) * (points[i].y - a.y)) / length;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Standard deviation of what points of an even row are off a smooth curve: curvatures from three
// points less their mean at the neighbours are fourth differences, of which smooth curves have
// next to none. By the median, so that corners do not count.
double scatter_of(const std::vector<ProfilePoint>& points) {
  std::vector<double> scale;
  std::vector<double> bend;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    scale.push_back(0.5 * distance(points[i - 1], points[i]) * distance(points[i], points[i + 1]));
    bend.push_back(offset(points, i) / scale.back());
  }
  std::vector<double> off;
  for (std::size_t i = 1; i + 1 < bend.size(); ++i)
    off.push_back(scale[i] * std::fabs(bend[i] - 0.5 * (bend[i - 1] + bend[i + 1])));
  constexpr double kMedian = 0.6745;   // of |x| over the standard deviation of x
  constexpr double kFourth = 2.09165;  // of 1/4, -1, 3/2, -1, 1/4 times independent numbers
  return median(std::move(off)) / (kMedian * kFourth);
}

bool crosses(const ProfilePoint& a, const ProfilePoint& b, const ProfilePoint& c,
             const ProfilePoint& d) {
  const auto side = [](const ProfilePoint& p, const ProfilePoint& q, const ProfilePoint& r) {
    return (q.y - p.y) * (r.z - p.z) - (q.z - p.z) * (r.y - p.y);
  };
  return side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
}

}  // namespace

void drop_repeated(std::vector<ProfilePoint>& points, double least) {
  std::vector<ProfilePoint> kept;
  for (const ProfilePoint& point : points)
    if (kept.empty() || distance(kept.back(), point) >= least) kept.push_back(point);
  points = std::move(kept);
}

std::size_t join_zigzags(std::vector<ProfilePoint>& points) {
  std::size_t pairs = 0;
  for (std::size_t i = 1; i + 2 < points.size(); ++i) {
    if (std::fabs(turn(points, i)) <= kZigzag || std::fabs(turn(points, i + 1)) <= kZigzag)
      continue;
    points[i] = {0.5 * (points[i].y + points[i + 1].y), 0.5 * (points[i].z + points[i + 1].z)};
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    ++pairs;
  }
  return pairs;
}

// A point that alone is off by d leaves d, and -d/2 at its neighbours, where points are evenly
// spaced, but never more than their spacing, half the length of the line; a corner leaves nothing
// at its neighbours.
std::vector<std::string> drop_outliers(std::vector<ProfilePoint>& points) {
  std::vector<std::string> said;
  std::vector<ProfilePoint> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool is_outlier = false;
    if (i >= 2 && i + 2 < points.size()) {
      const double here = offset(points, i);
      const double most = distance(points[i - 1], points[i + 1]);
      const double share = -kOutlierShare * std::clamp(here, -most, most);
      const auto opposes = [&](double other) { return here > 0.0 ? other < share : other > share; };
      is_outlier = std::fabs(here) > kLeastOutlier && opposes(offset(points, i - 1)) &&
                   opposes(offset(points, i + 1)) &&
                   std::fabs(here) > std::fabs(offset(points, i - 1)) &&
                   std::fabs(here) > std::fabs(offset(points, i + 1));
      if (is_outlier)
        said.push_back(
            text("the point (%.4g, %.4g) lies %.2g mm off its neighbours' line, and is "
                 "left out",
                 points[i].y, points[i].z, std::fabs(here)));
    }
    if (!is_outlier) kept.push_back(points[i]);
  }
  points = std::move(kept);
  return said;
}

std::optional<std::string> scatter_warning(const std::vector<ProfilePoint>& points,
                                           double smoothing) {
  constexpr std::size_t kFewest = 20;  // of a median
  if (points.size() < kFewest) return std::nullopt;
  std::vector<double> lengths;
  for (std::size_t i = 1; i < points.size(); ++i)
    lengths.push_back(distance(points[i - 1], points[i]));
  const double shortest = 2.0 * median(std::move(lengths));  // wave
  const double wave = std::max(shortest, smoothing);
  const double scatter = scatter_of(points);
  const double part = 2.0 * scatter * std::sqrt(shortest / wave) / wave;
  if (part <= kMostScatter) return std::nullopt;
  const double smooth =
      std::pow(4.0 * scatter * std::sqrt(shortest) / kMostScatter, 2.0 / 3.0);  // half of it
  constexpr double kSteel = 1.14e5;  // E* of two bodies [N/mm^2]
  return text(
             "the points scatter by about %.2g mm about a smooth curve, so that the greatest "
             "pressure may be off by %.2g of the contact modulus, ",
             scatter, part) +
         text("%.2g N/mm^2 between steel bodies; a smoothing of some %.2g mm, or better points",
              part * kSteel, smooth);
}

// Of a rail the ends are lower than what is between them; of a wheel the flange's tip, its lowest
// place, is not at an end, and its highest is.
bool is_upside_down(ProfileRole role, const std::vector<ProfilePoint>& points) {
  const auto by_z = [](const ProfilePoint& a, const ProfilePoint& b) { return a.z < b.z; };
  const auto [least, greatest] = std::minmax_element(points.begin(), points.end(), by_z);
  if (role == ProfileRole::rail) {
    const double bulge_down = greatest->z - std::max(points.front().z, points.back().z);
    const double bulge_up = std::min(points.front().z, points.back().z) - least->z;
    return bulge_down > kHighRise && bulge_down > bulge_up;
  }
  const auto share = static_cast<std::ptrdiff_t>(points.size() / 20);
  const auto is_inside = [&](auto at) {
    return at - points.begin() > share && points.end() - at > share + 1;
  };
  return is_inside(least) && !is_inside(greatest);
}

void check_extent(const std::vector<ProfilePoint>& points) {
  double length = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) length += distance(points[i - 1], points[i]);
  if (length >= kShortest && length <= kLongest) return;
  const char* guess = length < kShortest ? "; if it is in metres: scale: 1000"
                                         : "; if it is in micrometres: scale: 0.001";
  throw InputError(text("is %.4g mm long; accepted: a profile of 5 to 500 mm", length) + guess);
}

void check_gaps(const std::vector<ProfilePoint>& points) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < points.size(); ++i)
    lengths.push_back(distance(points[i - 1], points[i]));
  const auto widest = std::max_element(lengths.begin(), lengths.end());
  if (*widest <= kWidestGap || *widest <= kGapOverMedian * median(lengths)) return;
  const auto i = static_cast<std::size_t>(widest - lengths.begin());
  throw InputError(
      text("has a gap of %.3g mm between y = %.4g and %.4g; accepted: points at most "
           "5 mm apart",
           *widest, points[i].y, points[i + 1].y));
}

void check_orientation(ProfileRole role, const std::vector<ProfilePoint>& points,
                       const ProfileChanges& changes) {
  if (is_upside_down(role, points))
    throw InputError(
        changes.mirror_z.value_or(false)
            ? "is upside down with mirror_z: true, which turns z up (z is down here); "
              "accepted: mirror_z: false"
            : "is upside down: z points up (z is down here); accepted: mirror_z: true");
  if (role == ProfileRole::rail) return;
  const auto tip =
      std::max_element(points.begin(), points.end(),
                       [](const ProfilePoint& a, const ProfilePoint& b) { return a.z < b.z; });
  const auto [least, greatest] = std::minmax(points.front().y, points.back().y);
  if (tip->y > 0.5 * (least + greatest) - kFlangeShare * (greatest - least))
    throw InputError(text("has its lowest place at y = %.4g (z = %.4g); accepted: a wheel with its "
                          "flange at negative y",
                          tip->y, tip->z) +
                     (changes.mirror_y.value_or(false) ? " (mirror_y: false)"
                                                       : " (mirror_y: true turns that round)"));
}

void check_crossings(const std::vector<ProfilePoint>& points) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const auto [low, high] = std::minmax(points[i].y, points[i + 1].y);
    for (std::size_t j = i + 2; j + 1 < points.size(); ++j) {
      if (std::max(points[j].y, points[j + 1].y) < low ||
          std::min(points[j].y, points[j + 1].y) > high)
        continue;
      if (crosses(points[i], points[i + 1], points[j], points[j + 1]))
        throw InputError(
            text("crosses itself near (%.4g, %.4g); accepted: points in the order in "
                 "which they follow each other along the surface",
                 points[i].y, points[i].z));
    }
  }
}

std::vector<std::size_t> find_kinks(const std::vector<ProfilePoint>& points) {
  std::vector<std::size_t> kinks;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    if (std::fabs(turn(points, i)) <= kKinkHigh) continue;
    bool alone = true;
    for (std::size_t j = 1; j + 1 < points.size(); ++j)
      alone = alone && (j == i || distance(points[i], points[j]) > kKinkWidth ||
                        std::fabs(turn(points, j)) <= kKinkLow);
    if (alone) kinks.push_back(i);
  }
  return kinks;
}

}  // namespace slipfield
