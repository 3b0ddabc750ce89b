// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/profile_points.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kZigzag = 150.0 * kDegree;
constexpr double kKinkHigh = 30.0 * kDegree;
constexpr double kKinkLow = 6.0 * kDegree;
constexpr double kKinkWidth = 2.0;      // [mm]
constexpr double kLeastOutlier = 0.05;  // [mm] off the neighbours' line
// the neighbours' opposite offset must exceed this part of it
constexpr double kOutlierShare = 0.25;
constexpr double kMostScatter = 1.0e-3;  // of pressures over the contact modulus
constexpr double kShortestWave = 0.1;  // [mm] that elements of 0.05 mm, finer than usual ones, see
constexpr double kShortest = 5.0;      // [mm] of a profile's length
constexpr double kLongest = 500.0;
constexpr double kWidestGap = 5.0;          // [mm] between points ...
constexpr double kGapOverMedian = 20.0;     // ... that are usually this much closer
constexpr double kSeenOverMedian = 5.0;     // from here on a curve that is not straight is doubtful
constexpr double kStraightTo = 0.05;        // [mm] off a straight line, ...
constexpr double kStraightShare = 0.002;    // ... or this part of its length
constexpr double kSteep = 2.0;              // dz/dy of faces that no contact reaches
constexpr std::ptrdiff_t kFewestFills = 3;  // runs of one height that are not a surface
constexpr double kCoarse = 2.0;             // [mm] between points
constexpr double kFlangeDepth = 10.0;       // [mm] below the tread, where a flange ...
constexpr double kFlangeWidth = 8.0;        // [mm] ... is at least that wide
constexpr double kLeastTread = 36.0;        // [mm] between two flanges; a flange is not that wide
constexpr double kTopShare = 0.1;           // of a rail's range of z
constexpr double kHighRise = 0.5;           // [mm] of a rail, below which its shape shows nothing
constexpr double kMoreWidth = 1.5;          // times as much of a rail's width is near its top

// Allows for lengths that are equal in one unit and differ by rounding in another.
bool exceeds(double value, double limit) {
  constexpr double kRounding = 1.0e-6;
  return value > limit * (1.0 + kRounding);
}

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

// [mm] Width in y of the parts beyond z = level, on its greater side or the other.
double width_beyond(const std::vector<ProfilePoint>& points, double level, bool greater) {
  double width = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double a = (points[i - 1].z - level) * (greater ? 1.0 : -1.0);
    const double b = (points[i].z - level) * (greater ? 1.0 : -1.0);
    const double share = a > 0.0 && b > 0.0     ? 1.0
                         : a <= 0.0 && b <= 0.0 ? 0.0
                                                : std::max(a, b) / std::fabs(a - b);
    width += share * std::fabs(points[i].y - points[i - 1].y);
  }
  return width;
}

std::pair<double, double> heights_of(const std::vector<ProfilePoint>& points) {
  const auto [least, greatest] = std::ranges::minmax_element(points, {}, &ProfilePoint::z);
  return {least->z, greatest->z};
}

// The height above which half of the width lies: for a wheel that of its tread.
double middle_height(const std::vector<ProfilePoint>& points) {
  auto [low, high] = heights_of(points);
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (width_beyond(points, middle, true) > width_beyond(points, middle, false) ? low : high) =
        middle;
  }
  return 0.5 * (low + high);
}

double width_of(const std::vector<ProfilePoint>& points) {
  const auto [least, greatest] = std::ranges::minmax_element(points, {}, &ProfilePoint::y);
  return greatest->y - least->y;
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

namespace {

// Points at exactly the same height, from `first` to before `end`.
struct PointRun {
  std::size_t first = 0;
  std::size_t end = 0;
  bool is_narrow = false;
  bool is_deep =
      false;  // several points on the floor of a slot deeper than wide, as no profile has
};

constexpr double kFillOff = 1.0;  // [mm] off the points next to it

// Runs that are spikes, by height: those at heights that no surface has.
std::map<double, std::vector<PointRun>> find_fill_values(const std::vector<ProfilePoint>& points) {
  std::map<double, std::vector<PointRun>> runs;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i + 1;
    while (end < points.size() && points[end].z == points[i].z) ++end;
    // [mm] from the points before and after; both have the same sign if the run is a spike.
    const double before = i > 0 ? points[i - 1].z - points[i].z : 0.0;
    const double after = end < points.size() ? points[end].z - points[i].z : 0.0;
    const double least = std::min(std::fabs(before), std::fabs(after));
    const bool spike = before * after > 0.0 ? least > kFillOff
                                            : (i == 0 || end == points.size()) &&
                                                  std::fabs(before + after) > kFillOff;
    const double width = std::fabs(points[end - 1].y - points[i].y);
    const bool deep =
        before * after > 0.0 && end - i > 1 && width <= kWidestGap && least > kFillOff + width;
    if (spike) runs[points[i].z].push_back({i, end, width <= kCoarse, deep});
    i = end;
  }
  std::erase_if(runs, [](const auto& each) {  // a wide one alone may be the bottom of a groove
    return std::ranges::none_of(each.second, &PointRun::is_deep) &&
           std::ranges::count_if(each.second, &PointRun::is_narrow) < kFewestFills;
  });
  return runs;
}

}  // namespace

// Drops one value at a time, the most frequent first, so that points next to it are judged
// correctly.
std::vector<std::string> drop_fill_values(std::vector<ProfilePoint>& points) {
  std::vector<std::string> said;
  for (;;) {
    const auto runs = find_fill_values(points);
    const auto most = std::max_element(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    if (most == runs.end()) return said;
    std::size_t count = 0;
    std::vector<ProfilePoint> kept;
    auto next = points.begin();
    for (const auto& run : most->second) {
      count += run.end - run.first;
      kept.insert(kept.end(), next, points.begin() + static_cast<std::ptrdiff_t>(run.first));
      next = points.begin() + static_cast<std::ptrdiff_t>(run.end);
    }
    kept.insert(kept.end(), next, points.end());
    points = std::move(kept);
    said.push_back(
        text("%.0f points at z = %.4g, more than %.0f mm off those next to them, look as if they "
             "were not measured, and are left out",
             static_cast<double>(count), most->first, kFillOff));
  }
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

namespace {

// [mm] The greatest distance between the points whose lines identify an outlier, excluding the
// point itself.
double longest_around(const std::vector<ProfilePoint>& points, std::size_t i) {
  return std::max({distance(points[i - 2], points[i - 1]),
                   0.5 * distance(points[i - 1], points[i + 1]),
                   distance(points[i + 1], points[i + 2])});
}

}  // namespace

// With even spacing, a single point off by d shows d, and -d/2 at its neighbours, but never more
// than their spacing, half the length of the line; a corner shows nothing at its neighbours.
std::vector<std::string> drop_outliers(std::vector<ProfilePoint>& points) {
  constexpr int kMostSaid = 3;
  int count = 0;
  double most = 0.0;  // [mm] of those that are not said each
  std::vector<std::string> said;
  std::vector<ProfilePoint> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool is_outlier = false;
    if (i >= 2 && i + 2 < points.size() && !exceeds(longest_around(points, i), kCoarse)) {
      const double here = offset(points, i);
      const double line = distance(points[i - 1], points[i + 1]);
      const double share = -kOutlierShare * std::clamp(here, -line, line);
      const auto opposes = [&](double other) { return here > 0.0 ? other < share : other > share; };
      is_outlier = std::fabs(here) > kLeastOutlier && opposes(offset(points, i - 1)) &&
                   opposes(offset(points, i + 1)) &&
                   std::fabs(here) > std::fabs(offset(points, i - 1)) &&
                   std::fabs(here) > std::fabs(offset(points, i + 1));
      if (is_outlier && ++count > kMostSaid)
        most = std::max(most, std::fabs(here));
      else if (is_outlier)
        said.push_back(
            text("the point (%.4g, %.4g) lies %.2g mm off its neighbours' line, and is "
                 "left out",
                 points[i].y, points[i].z, std::fabs(here)));
    }
    if (!is_outlier) kept.push_back(points[i]);
  }
  if (count > kMostSaid)
    said.push_back(
        text("%.0f more points lie up to %.2g mm off their neighbours' line, and are left out",
             count - kMostSaid, most));
  points = std::move(kept);
  return said;
}

double median_spacing(const std::vector<ProfilePoint>& points) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < points.size(); ++i)
    lengths.push_back(distance(points[i - 1], points[i]));
  return median(std::move(lengths));
}

bool is_coarse(const std::vector<ProfilePoint>& points) {
  return exceeds(median_spacing(points), kCoarse);
}

// Standard deviation of the points of an even row about a smooth curve: curvatures from three
// points less their mean at the neighbours are fourth differences, which nearly vanish for smooth
// curves. Estimated by the median, so that corners do not count.
double scatter_of(const std::vector<ProfilePoint>& points) {
  constexpr std::size_t kFewest = 5;
  if (points.size() < kFewest) return 0.0;
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

std::optional<ProfileScatter> find_scatter(const std::vector<ProfilePoint>& points,
                                           double smoothing) {
  constexpr std::size_t kFewest = 20;  // of a median
  if (points.size() < kFewest) return std::nullopt;
  const double shortest = 2.0 * median_spacing(points);  // wave
  const double wave = std::max(shortest, smoothing);
  ProfileScatter scatter;
  scatter.deviation = scatter_of(points);
  scatter.pressure =
      2.0 * scatter.deviation * std::sqrt(shortest / wave) / std::max(wave, kShortestWave);
  if (scatter.pressure <= kMostScatter) return std::nullopt;
  // Taking every other point leaves the fourth differences of noise unchanged, but makes those of a
  // smooth shape sixteen times as large.
  constexpr double kShape = 8.0;
  std::vector<ProfilePoint> every_other;
  for (std::size_t i = 0; i < points.size(); i += 2) every_other.push_back(points[i]);
  if (scatter_of(every_other) > kShape * scatter.deviation) return std::nullopt;
  scatter.smoothing = std::pow(4.0 * scatter.deviation * std::sqrt(shortest) / kMostScatter,
                               2.0 / 3.0);  // half of it
  return scatter;
}

namespace {

// A rail's top is its widest part; towards at least one end the surface falls.
ZDirection rail_z_direction(const std::vector<ProfilePoint>& points) {
  const auto [least, greatest] = heights_of(points);
  const double range = greatest - least;
  const double middle = 0.5 * (least + greatest);
  const double down = width_beyond(points, middle, true);
  const double up = width_beyond(points, middle, false);
  ZDirection found{ZDirection::unknown,
                   text("%.3g mm of its width are where z is in the lower half of its range of "
                        "%.3g mm, %.3g mm in the greater half",
                        up, range, down)};
  if (range < kHighRise) return found;
  if (up > kMoreWidth * down) found.is = ZDirection::down;
  if (down > kMoreWidth * up) found.is = ZDirection::up;
  // For example a crossing's nose between the floors of its flangeways.
  const auto [low_end, high_end] = std::minmax(points.front().z, points.back().z);
  const bool ends_at_top = found.is == ZDirection::down ? high_end < least + kTopShare * range
                                                        : low_end > greatest - kTopShare * range;
  if (found.is == ZDirection::unknown || !ends_at_top) return found;
  return {ZDirection::unknown, found.why + ", and there it begins and ends"};
}

// [mm] Width in y from the first point of the range to where z passes the level; the whole width if
// it does not.
template <typename Iterator>
double width_to_level(Iterator first, Iterator last, double level) {
  double width = 0.0;
  const bool greater = first->z > level;
  for (Iterator next = std::next(first); next != last && (next->z > level) == greater;
       first = next++)
    width += std::fabs(next->y - first->y);
  return width;
}

// Whether there are flanges on both sides of the tread that together are wider than it, on the
// greater side of the level or the other.
bool has_two_flanges(const std::vector<ProfilePoint>& points, double level, bool greater) {
  if ((points.front().z > level) != greater || (points.back().z > level) != greater) return false;
  return width_to_level(points.begin(), points.end(), level) >= kFlangeWidth &&
         width_to_level(points.rbegin(), points.rend(), level) >= kFlangeWidth &&
         width_beyond(points, level, !greater) >= kLeastTread;
}

// A flange hangs down beyond the tread, which is most of the width, or on both sides of it.
ZDirection wheel_z_direction(const std::vector<ProfilePoint>& points) {
  const auto [least, greatest] = heights_of(points);
  const double middle = middle_height(points);
  const double down = width_beyond(points, middle + kFlangeDepth, true);
  const double up = width_beyond(points, middle - kFlangeDepth, false);
  if (std::max(down, up) < kFlangeWidth || down == up)
    return {ZDirection::unknown,
            text("it has no flange, in a range of z of %.3g mm", greatest - least)};
  const bool is_down = down > up;
  if (has_two_flanges(points, middle + (is_down ? kFlangeDepth : -kFlangeDepth), !is_down))
    return {is_down ? ZDirection::up : ZDirection::down,
            text("the tread, %.3g mm wide, lies between two flanges, ", std::max(down, up)) +
                (is_down ? "which are at less z" : "which are at greater z")};
  return {is_down ? ZDirection::down : ZDirection::up,
          text("the flange, %.3g mm wide, ", std::max(down, up)) +
              (is_down ? "is at greater z than the tread" : "is at less z than the tread")};
}

}  // namespace

ZDirection find_z_direction(ProfileRole role, const std::vector<ProfilePoint>& points) {
  return role == ProfileRole::rail ? rail_z_direction(points) : wheel_z_direction(points);
}

void check_extent(const std::vector<ProfilePoint>& points, bool guess_unit) {
  double length = 0.0;
  std::size_t longest = 1;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double segment = distance(points[i - 1], points[i]);
    length += segment;
    if (segment > distance(points[longest - 1], points[longest])) longest = i;
  }
  if (length >= kShortest && length <= kLongest) return;
  const auto [low, high] = heights_of(points);
  const double extent = width_of(points) + high - low;
  constexpr double kToAndFro =
      4.0;  // times a profile's height and width; its outline has twice them
  constexpr double kOutline = 60.0;  // [mm] of height: a rail's head has less
  if (length > kToAndFro * extent && extent > kShortest)
    throw InputError(
        text("has points out of order: joined in turn they are %.4g mm long on a width of %.4g mm; "
             "accepted: points in the order in which they follow each other along the surface",
             length, width_of(points)));
  std::string guess;
  constexpr double kOneJump = 0.3;  // of the length
  const ProfilePoint& a = points[longest - 1];
  const ProfilePoint& b = points[longest];
  if (length > kLongest && distance(a, b) > kOneJump * length)
    guess = text(", without the way from (%.4g, %.4g) to", a.y, a.z) +
            text(" (%.4g, %.4g), which is most of it", b.y, b.z);
  else if (length > kLongest && extent <= kLongest && high - low > kOutline)
    guess = "; if this is a whole rail, only its head";
  else if (guess_unit)
    for (const auto& [factor, words] : {std::pair{1000.0, "metres: unit: m (scale: 1000)"},
                                        std::pair{25.4, "inches: unit: inch (scale: 25.4)"},
                                        std::pair{0.001, "micrometres: scale: 0.001"}})
      if (guess.empty() && length * factor >= kShortest && length * factor <= kLongest)
        guess = std::string("; if it is in ") + words;
  throw InputError(text("is %.4g mm long", length) + (guess_unit ? "" : " with the case's unit") +
                   "; accepted: a profile of 5 to 500 mm" + guess);
}

namespace {

// Whether the outline comes back across the body, and what is missing at its end is no longer than
// another of its segments: it was cut on a side with few points.
bool comes_back(const std::vector<ProfilePoint>& points) {
  constexpr double kWidths = 1.5;      // there and back are 2; a head with undercut sides has less
  constexpr double kOneSegment = 1.5;  // longest ones
  double across = 0.0;
  double longest = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    across += std::fabs(points[i].y - points[i - 1].y);
    longest = std::max(longest, distance(points[i - 1], points[i]));
  }
  return across > kWidths * width_of(points) &&
         distance(points.front(), points.back()) < kOneSegment * longest;
}

}  // namespace

void check_open(ProfileRole role, const std::vector<ProfilePoint>& points) {
  constexpr double kSamePlace = 1.0;    // [mm]
  constexpr double kMostMissing = 5.0;  // [mm] of an outline whose last point is not its first
  constexpr double kOneSegment = 1.5;   // median ones
  const double apart = std::clamp(kOneSegment * median_spacing(points), kSamePlace, kMostMissing);
  const double missing = distance(points.front(), points.back());
  if (missing >= apart && !comes_back(points)) return;
  throw InputError(
      (missing < apart ? text("is a closed outline: it ends where it begins, at (%.4g, %.4g)",
                              points.front().y, points.front().z)
                       : text("is a closed outline: it goes around the body and ends %.4g mm from "
                              "where it begins, at (%.4g, %.4g)",
                              missing, points.front().y, points.front().z)) +
      "; accepted: the running surface alone, " +
      (role == ProfileRole::rail ? "from the rail's outer side over its top to the gauge face"
                                 : "from the flange's back to the end of the tread"));
}

std::optional<std::string> size_warning(ProfileRole role, const std::vector<ProfilePoint>& points,
                                        std::optional<LengthUnit> said) {
  const bool rail = role == ProfileRole::rail;
  const double narrow = rail ? 20.0 : 40.0;  // [mm]
  const double wide = rail ? 180.0 : 200.0;
  const double width = width_of(points);
  const double in_file = width / millimetres(said.value_or(LengthUnit::millimetre));
  std::string of_said;
  std::string units;
  for (const auto& [unit, name, key] : {std::tuple{LengthUnit::millimetre, "mm", "mm"},
                                        std::tuple{LengthUnit::inch, "inches", "inch"},
                                        std::tuple{LengthUnit::centimetre, "centimetres", "cm"},
                                        std::tuple{LengthUnit::metre, "metres", "m"}}) {
    const double other = in_file * millimetres(unit);
    if (said == unit)
      of_said = std::string(" with unit: ") + key;
    else if (other >= narrow && other <= wide)
      units +=
          text(" and %.3g mm wide if its points are in ", other) + name + " (unit: " + key + ")";
  }
  // The stated unit is accepted unless another unit fits; without a statement mm is assumed.
  const bool usual = width >= narrow && (width <= wide || !said);
  if (usual || said == LengthUnit::millimetre || (said && units.empty())) return std::nullopt;
  return text("is %.3g mm wide", width) + of_said + ", where " + (rail ? "rails" : "wheels") +
         text(" are usually %.3g to %.3g mm", narrow, wide) +
         (units.empty() ? std::string("; another unit or scale?") : "," + units);
}

namespace {

// [rad] By how much the curve that ends at `end` leaves the straight line to `other`: the lesser of
// what its last two points say and what a parabola through its last 3 mm does. Rounded points
// scatter about both, and an arc may end between two points.
double leaves_line(const std::vector<ProfilePoint>& points, std::size_t end, std::size_t other,
                   double usual) {
  constexpr double kReach = 3.0;  // [mm]
  const ProfilePoint& at = points[end];
  const double length = distance(at, points[other]);
  const double y = (at.y - points[other].y) / length;  // along the line, away from it
  const double z = (at.z - points[other].z) / length;
  const std::ptrdiff_t step = end > other ? 1 : -1;
  const auto count = static_cast<std::ptrdiff_t>(points.size());
  double tt = 0.0;  // sums of products of t, t^2 and the distance from the line
  double ttt = 0.0;
  double tttt = 0.0;
  double tn = 0.0;
  double ttn = 0.0;
  double last = 0.0;
  int used = 0;
  for (auto k = static_cast<std::ptrdiff_t>(end) + step; k >= 0 && k < count; k += step) {
    const ProfilePoint& point = points[static_cast<std::size_t>(k)];
    if (used >= 2 && distance(at, point) > std::max(kReach, 3.0 * usual)) break;
    const double t = (point.y - at.y) * y + (point.z - at.z) * z;
    const double n = (point.z - at.z) * y - (point.y - at.y) * z;
    if (used == 0) last = std::fabs(std::atan2(n, t));
    tt += t * t;
    ttt += t * t * t;
    tttt += t * t * t * t;
    tn += t * n;
    ttn += t * t * n;
    ++used;
  }
  const double determinant = tt * tttt - ttt * ttt;
  if (used < 2 || !(determinant > 1.0e-9 * tt * tttt)) return last;
  return std::min(last, std::fabs(std::atan((tn * tttt - ttn * ttt) / determinant)));
}

// A step from point i to the next, not at an end of the profile.
struct WideStep {
  double length = 0.0;
  double bulge = 0.0;  // [mm] by which a curve that continues both sides leaves the straight line
  double least = 0.0;  // [mm] likewise by the side that leaves it less
};

WideStep wide_step(const std::vector<ProfilePoint>& points, std::size_t i, double usual) {
  const double length = distance(points[i], points[i + 1]);
  const double before = leaves_line(points, i, i + 1, usual);
  const double after = leaves_line(points, i + 1, i, usual);
  // An arc's middle is off its chord by a quarter of the length times the angle.
  return {length, 0.125 * length * (before + after), 0.25 * length * std::min(before, after)};
}

}  // namespace

std::vector<std::size_t> fill_straight_lines(std::vector<ProfilePoint>& points,
                                             std::vector<std::string>& notes,
                                             std::vector<std::string>& warnings) {
  const double usual = median_spacing(points);
  const bool coarse = is_coarse(points);
  std::vector<ProfilePoint> made{points.front()};
  std::vector<std::size_t> added;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const ProfilePoint& a = points[i];
    const ProfilePoint& b = points[i + 1];
    const double length = distance(a, b);
    const bool at_end = i == 0 || i + 2 == points.size();
    const bool steep = std::fabs(b.z - a.z) > kSteep * std::fabs(b.y - a.y);
    const double allowed = std::max(kStraightTo, kStraightShare * length);
    const bool is_wide = exceeds(length, kWidestGap);
    if (is_wide && exceeds(length, kGapOverMedian * usual)) {
      if (!at_end && !steep && exceeds(wide_step(points, i, usual).bulge, allowed))
        throw InputError(
            text("has a gap of %.3g mm between y = %.4g and %.4g, where it is not straight; "
                 "accepted: points at most 5 mm apart",
                 length, a.y, b.y));
      notes.push_back(text("between (%.4g, %.4g) and ", a.y, a.z) +
                      text("(%.4g, %.4g) it is a straight line", b.y, b.z));
      const auto parts = static_cast<int>(std::ceil(length / std::max(usual, 0.5)));
      for (int k = 1; k < parts; ++k) {
        const double t = static_cast<double>(k) / parts;
        added.push_back(made.size());
        made.push_back({a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)});
      }
    } else if (is_wide && !coarse && !at_end && !steep &&
               exceeds(length, kSeenOverMedian * usual)) {
      const WideStep step = wide_step(points, i, usual);
      if (exceeds(step.least, allowed))
        warnings.push_back(
            text("has no point between y = %.4g and %.4g", a.y, b.y) +
            text(", %.3g mm, where its curve bulges by some %.2g mm: a contact there "
                 "is that of a guess",
                 length, step.bulge));
    }
    made.push_back(b);
  }
  points = std::move(made);
  return added;
}

std::optional<std::string> check_flange(ProfileRole role, const std::vector<ProfilePoint>& points,
                                        const ProfileChanges& changes) {
  if (role == ProfileRole::rail) return std::nullopt;
  const double level = middle_height(points) + kFlangeDepth;
  const double centre = 0.5 * (std::min(points.front().y, points.back().y) +
                               std::max(points.front().y, points.back().y));
  std::vector<ProfilePoint> gauge_side;
  std::vector<ProfilePoint> field_side;
  for (const ProfilePoint& point : points)
    (point.y < centre ? gauge_side : field_side).push_back(point);
  if (width_beyond(field_side, level, true) < kFlangeWidth ||
      width_beyond(gauge_side, level, true) >= kFlangeWidth)
    return std::nullopt;
  const auto tip = std::ranges::max_element(points, {}, &ProfilePoint::z);
  const std::string place = text("has its lowest place at y = %.4g (z = %.4g)", tip->y, tip->z);
  if (changes.mirror_y)
    return place + ", the flange on the field side, as mirror_y: " +
           (*changes.mirror_y ? "true has it; mirror_y: false" : "false has it; mirror_y: true") +
           " puts it on the side of the track's centre";
  throw InputError(place +
                   ", the flange on the field side; accepted: a flange on the side of the track's "
                   "centre, at smaller y than the tread (mirror_y: true turns the profile round, "
                   "mirror_y: false leaves it)");
}

double find_flange_angle(const std::vector<ProfilePoint>& points) {
  constexpr double kChord = 2.0;  // [mm], so that measured points scatter less than the angle
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double level = middle_height(points);
  const auto flange = std::find_if(points.rbegin(), points.rend(), [&](const ProfilePoint& point) {
    return point.z > level + kFlangeDepth;
  });
  if (flange == points.rend() || flange->y > 0.5 * (points.front().y + points.back().y))
    return none;
  // Goes from the flange's lowest point back to the tread: y descends along the points.
  const auto tip = std::max_element(points.begin(), points.end(),
                                    [](const ProfilePoint& a, const ProfilePoint& b) {
                                      return a.z < b.z || (a.z == b.z && a.y > b.y);
                                    });
  double steepest = none;
  for (auto low = tip; low != points.begin() && low->z > level; --low) {
    auto high = low;
    while (high != points.begin() && distance(*high, *low) < kChord) --high;
    if (distance(*high, *low) < kChord) break;
    const double angle = std::atan2(low->z - high->z, high->y - low->y);
    steepest = std::isnan(steepest) ? angle : std::max(steepest, angle);
  }
  return steepest;
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

std::string short_text(double value) { return text("%.2g", value); }

namespace {

// The angles by which a profile turns at its points. Tells corners from curvature.
class Turns {
 public:
  Turns(const std::vector<ProfilePoint>& points, bool coarse)
      : points_(points), coarse_(coarse), turns_(points.size(), 0.0) {
    for (std::size_t i = 1; i + 1 < points.size(); ++i) turns_[i] = turn(points, i);
  }

  [[nodiscard]] bool is_kink(std::size_t i) const {
    const double total = std::fabs(turns_[i]);
    const double beside = std::max(length(i - 1), length(i));
    return exceeds(total, least_turn(beside)) && stands_out(i, i, total) && !scatters(i, i, total);
  }

  // Whether points i and i + 1 form a corner: the smaller turn exceeds all turns on its side.
  [[nodiscard]] bool is_corner(std::size_t i) const {
    const double total = std::fabs(turns_[i] + turns_[i + 1]);
    if (!(turns_[i] * turns_[i + 1] > 0.0) || !exceeds(total, least_turn(length(i)))) return false;
    if (!stands_out(i, i + 1, total) || scatters(i, i + 1, total)) return false;
    if (is_kink(i) && is_kink(i + 1)) return false;
    const double lesser_turn = std::min(std::fabs(turns_[i]), std::fabs(turns_[i + 1]));
    if (lesser_turn < kLeastShare * total) return false;
    const bool first = std::fabs(turns_[i]) < std::fabs(turns_[i + 1]);
    const double beside = std::fabs(turns_[first ? i - 1 : i + 2]);
    if (!is_kink(first ? i + 1 : i)) return lesser_turn > beside;
    // Measured points next to a kink scatter as well.
    const std::size_t lesser = first ? i : i + 1;
    return lesser_turn > 2.0 * beside &&
           lesser_turn * std::max(length(lesser - 1), length(lesser)) > kLeastRing;
  }

 private:
  static constexpr double kLeastShare = 1.0e-3;  // of a corner's turns, the lesser one: no rounding
  // [mm] The turn times its length; the curve rings by a twentieth of this product.
  static constexpr double kLeastRing = 5.0e-3;

  // [mm] from a point to the next
  [[nodiscard]] double length(std::size_t i) const { return distance(points_[i], points_[i + 1]); }
  // The tightest arcs of wheels and rails have radii of some 8 mm.
  [[nodiscard]] double least_turn(double beside) const {
    constexpr double kLeast = 10.0 * kDegree;
    constexpr double kTightest = 5.0;  // [mm]
    return coarse_ ? kKinkHigh : std::clamp(beside / kTightest, kLeast, kKinkHigh);
  }
  // Whether the points before `first` and after `last` turn by at most a fifth of what these do. A
  // turn below 30 degrees may belong to an arc with few points; for a greater one distant points
  // are ignored.
  [[nodiscard]] bool stands_out(std::size_t first, std::size_t last, double total) const {
    const bool is_sharp = exceeds(total, kKinkHigh);
    const std::size_t reach = is_sharp && (coarse_ || first == last) ? 1 : 2;
    const double most = std::min(kKinkLow, total / 5.0);
    const auto fits = [&](std::size_t i, std::size_t from) {
      const bool is_far =
          is_sharp && !coarse_ && exceeds(distance(points_[i], points_[from]), kKinkWidth);
      return is_far || !exceeds(std::fabs(turns_[i]), most);
    };
    for (std::size_t k = 1; k <= reach; ++k)
      if ((first > k && !fits(first - k, first)) ||
          (last + k + 1 < turns_.size() && !fits(last + k, last)))
        return false;
    return true;
  }
  // Whether points within 2 mm turn so much that measurement errors may have caused this turn: for
  // normal errors six medians are four deviations, and the neighbours turn as far to the other
  // side.
  [[nodiscard]] bool scatters(std::size_t first, std::size_t last, double total) const {
    std::vector<double> nearby;
    const auto is_near = [&](std::size_t i, std::size_t from) {
      return !exceeds(distance(points_[i], points_[from]), kKinkWidth);
    };
    for (std::size_t i = first; i-- > 1 && is_near(i, first);)
      nearby.push_back(std::fabs(turns_[i]));
    for (std::size_t i = last + 1; i + 1 < turns_.size() && is_near(i, last); ++i)
      nearby.push_back(std::fabs(turns_[i]));
    if (nearby.empty()) return false;
    return !exceeds(total, 6.0 * median(std::move(nearby)));
  }

  const std::vector<ProfilePoint>& points_;
  bool coarse_;
  std::vector<double> turns_;
};

}  // namespace

ProfileCuts find_cuts(const std::vector<ProfilePoint>& points, bool coarse) {
  const Turns turns(points, coarse);
  ProfileCuts cuts;
  std::vector<bool> corner(points.size(), false);
  for (std::size_t i = 1; i + 2 < points.size(); ++i) corner[i] = turns.is_corner(i);
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    // The middle one of three points, so that a reversed profile has the same corners.
    const bool in_both = corner[i - 1] && corner[i];
    if (in_both || (!corner[i - 1] && !corner[i] && turns.is_kink(i))) cuts.kinks.push_back(i);
    if (corner[i] && !corner[i - 1] && !corner[i + 1]) cuts.corners.push_back(i);
  }
  return cuts;
}

}  // namespace slipfield
