// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/placement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "solver/error.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

// s in [low, high] where the curve has the given z, which must lie between those of the ends.
double solve_z(const SplineCurve& curve, double low, double high, double z) {
  const bool falls = curve.at(low).z() > z;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    ((curve.at(middle).z() > z) == falls ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// The top of the rail on which wheels run. A check rail, on the gauge side of a groove deeper than
// the gauge height, may be higher.
double find_top(const SplineCurve& curve, double height) {
  constexpr double kRaised = 5.0;      // [mm] a crossing's nose and wings differ by less
  constexpr double kLeastHead = 25.0;  // [mm] wide
  const double top = curve.least(2, curve.first(), curve.last());
  const std::vector<double>& knots = curve.knots();
  std::size_t best = knots.size() - 1;
  for (std::size_t i = knots.size(); i-- > 0 && knots[i] > top;) {
    if (curve.at_knot(i).z() < curve.at_knot(best).z()) best = i;
    const double lowest = curve.at_knot(best).z() + height;
    if (curve.at_knot(i).z() <= lowest) continue;
    std::size_t end = best;
    while (end + 1 < knots.size() && curve.at_knot(end + 1).z() <= lowest) ++end;
    const bool is_head = curve.at_knot(end).y() - curve.at_knot(i).y() >= kLeastHead;
    const bool is_lower = curve.at(top).z() < curve.at_knot(best).z() - kRaised;
    return is_head && is_lower ? curve.least(2, knots[i], curve.last()) : top;
  }
  return top;
}

// Where the gauge is measured, and which point is the top of the rail.
struct GaugePlace {
  double top = 0.0;       // parameter of the curve
  std::size_t first = 0;  // knots of the part whose face counts
  double peak = 0.0;      // parameter of that part's highest point
};

// Knots of the part of a rail between two grooves, or between a groove and an end.
struct RailPart {
  std::size_t first = 0;
  std::size_t last = 0;
};

// Splits at grooves, which are deeper than `height` below both adjacent tops.
std::vector<RailPart> parts_of(const SplineCurve& curve, double height) {
  const auto z = [&](std::size_t i) { return curve.at_knot(i).z(); };
  std::vector<RailPart> parts{{0, curve.knots().size() - 1}};
  std::size_t top = 0;
  std::size_t bottom = 0;  // since that top
  for (std::size_t i = 1; i < curve.knots().size(); ++i) {
    if (z(i) < z(top) && z(bottom) - z(top) <= height) top = bottom = i;
    if (z(i) > z(bottom)) bottom = i;
    if (z(bottom) - z(top) <= height || z(bottom) - z(i) <= height) continue;
    parts.back().last = bottom;
    parts.push_back({bottom, curve.knots().size() - 1});
    top = bottom = i;
  }
  return parts;
}

double peak_of(const SplineCurve& curve, const RailPart& part) {
  return curve.least(2, curve.knots()[part.first], curve.knots()[part.last]);
}

// [mm] Width of the part that is less than `height` below its top.
double head_width(const SplineCurve& curve, const RailPart& part, double height) {
  const double lowest = curve.at(peak_of(curve, part)).z() + height;
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (std::size_t i = part.first; i <= part.last; ++i) {
    const Eigen::Vector3d at = curve.at_knot(i);
    if (at.z() > lowest) continue;
    least = std::min(least, at.y());
    greatest = std::max(greatest, at.y());
  }
  return greatest - least;
}

std::size_t widest_part(const SplineCurve& curve, const std::vector<RailPart>& parts,
                        double height) {
  std::size_t widest = 0;
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (head_width(curve, parts[i], height) > head_width(curve, parts[widest], height)) widest = i;
  return widest;
}

GaugePlace place_on_part(const SplineCurve& curve, const Track& track) {
  const std::vector<RailPart> parts = parts_of(curve, track.gauge_height);
  const std::size_t head = widest_part(curve, parts, track.gauge_height);
  const double top = peak_of(curve, parts[head]);
  if (track.gauge_face == GaugeFace::head) return {top, parts[head].first, top};
  const double lowest = curve.at(top).z() + track.gauge_height;
  if (head > 0) {
    const double lip = peak_of(curve, parts[head - 1]);
    if (curve.at(lip).z() < lowest) return {top, parts[head - 1].first, lip};
  }
  throw InputError(
      "track.gauge_face is lip, and the rail has none: nothing beyond a groove is less than "
      "the gauge height, " +
      number_text(track.gauge_height) +
      " mm, below its head's top; accepted: auto, head or [y, y]");
}

// own: the profile itself; curve: the canted one.
GaugePlace place_between(const SplineCurve& own, const SplineCurve& curve,
                         const std::array<double, 2>& between) {
  RailPart part{own.knots().size(), 0};
  for (std::size_t i = 0; i < own.knots().size(); ++i) {
    const double y = own.at_knot(i).y();
    if (y < between[0] || y > between[1]) continue;
    part.first = std::min(part.first, i);
    part.last = std::max(part.last, i);
  }
  if (part.first >= part.last)
    throw InputError("track.gauge_face: the rail's profile has no two points between y = " +
                     number_text(between[0]) + " and " + number_text(between[1]) + " mm");
  const double top = peak_of(curve, part);
  return {top, part.first, top};
}

// The gauge point: the least y of the points that are less than the gauge height below the top, on
// the top's gauge side and not beyond a groove; at exactly that height if the rail gets wider
// below.
double find_gauge_point(const SplineCurve& curve, const GaugePlace& place, double height,
                        bool& is_end) {
  const double lowest = curve.at(place.top).z() + height;
  const std::vector<double>& knots = curve.knots();
  std::size_t first = place.first;
  for (std::size_t i = first; i < knots.size() && knots[i] < place.peak; ++i)
    if (curve.at_knot(i).z() > lowest) first = i + 1;
  std::size_t least = first;
  for (std::size_t i = first; i < knots.size() && knots[i] <= place.peak; ++i)
    if (curve.at_knot(i).y() < curve.at_knot(least).y()) least = i;
  is_end = first == place.first && least == first;
  if (is_end) return curve.at_knot(first).y();
  if (least == first)
    return curve.at(solve_z(curve, knots[first - 1], std::min(knots[first], place.peak), lowest))
        .y();
  return curve.at(curve.least(1, knots[least - 1], knots[least + 1])).y();
}

GaugePlace find_gauge_place(const SplineCurve& own, const SplineCurve& curve, const Track& track) {
  if (track.gauge_between) return place_between(own, curve, *track.gauge_between);
  if (track.gauge_face != GaugeFace::automatic) return place_on_part(curve, track);
  const double top = find_top(curve, track.gauge_height);
  return {top, 0, top};
}

}  // namespace

WheelRailPosition mirrored(const WheelRailPosition& position) {
  WheelRailPosition result = position;
  result.side = position.side == Side::left ? Side::right : Side::left;
  Track& track = result.track;
  for (double* value : {&track.curvature, &track.rail_y, &track.rail_roll, &track.rail_velocity_y,
                        &track.rail_velocity_roll})
    *value = -*value;
  if (track.rail_origin) track.rail_origin->front() = -track.rail_origin->front();
  Wheelset& wheelset = result.wheelset;
  for (double* value : {&wheelset.y, &wheelset.roll, &wheelset.yaw, &wheelset.velocity_y,
                        &wheelset.velocity_roll, &wheelset.velocity_yaw})
    *value = -*value;
  return result;
}

GroovedRail grooves_of(const Profile& rail, double gauge_height) {
  const std::vector<RailPart> parts = parts_of(rail.curve, gauge_height);
  const std::size_t head = widest_part(rail.curve, parts, gauge_height);
  const auto width = [&](std::size_t i) { return head_width(rail.curve, parts[i], gauge_height); };
  return {width(head), head > 0 ? width(head - 1) : 0.0,
          head + 1 < parts.size() ? width(head + 1) : 0.0};
}

std::optional<double> head_inclination(const Profile& rail, double gauge_height) {
  const SplineCurve& curve = rail.curve;
  const std::vector<RailPart> parts = parts_of(curve, gauge_height);
  const RailPart head = parts[widest_part(curve, parts, gauge_height)];
  const std::vector<double>& knots = curve.knots();
  const double top = peak_of(curve, head);
  const double lowest = curve.at(top).z() + gauge_height;
  if (curve.at(knots[head.first]).z() <= lowest || curve.at(knots[head.last]).z() <= lowest)
    return std::nullopt;
  const double gauge_face = curve.at(solve_z(curve, knots[head.first], top, lowest)).y();
  const double field_face = curve.at(solve_z(curve, top, knots[head.last], lowest)).y();
  double inclination = 0.0;
  for (int round = 0; round < 2; ++round) {  // the head's axis leans too
    const double y = 0.5 * (gauge_face + field_face) - gauge_height * std::tan(inclination);
    const auto middle = curve.parameter_at_y(y, SeenFrom::above);
    if (!middle) return std::nullopt;
    const Eigen::Vector3d along = curve.tangent(*middle);
    inclination = -std::atan2(along.z(), along.y());
  }
  return inclination;
}

RailHead head_of(const Profile& rail, double gauge_height) {
  return {grooves_of(rail, gauge_height), head_inclination(rail, gauge_height)};
}

PlacedRail place_rail(const Profile& rail, const Track& track) {
  if (track.rail_origin) {
    const auto& [y, z] = *track.rail_origin;
    const AxesFrame frame{turn_x(track.rail_roll - track.cant),
                          {0.0, y + track.rail_y, z + track.rail_z}};
    return {frame, rail.curve.moved(frame), 0.0, false, track.roller_radius};
  }
  const SplineCurve canted = rail.curve.moved({turn_x(-track.cant), Eigen::Vector3d::Zero()});
  const GaugePlace place = find_gauge_place(rail.curve, canted, track);
  bool is_end = false;
  const double gauge_point = find_gauge_point(canted, place, track.gauge_height, is_end);
  const double height = track.roller_radius > 0.0 ? 0.0 : -canted.at(place.top).z();
  const AxesFrame frame{
      turn_x(track.rail_roll - track.cant),
      {0.0, 0.5 * track.gauge - gauge_point + track.rail_y, height + track.rail_z}};
  return {frame, rail.curve.moved(frame), gauge_point, is_end, track.roller_radius};
}

double PlacedRail::drop(double z, double x) const {
  if (!(roller_radius > 0.0)) return 0.0;
  const double radius = roller_radius - z;
  if (!(radius > std::fabs(x))) return std::numeric_limits<double>::infinity();  // outside
  return x * x / (radius + std::sqrt(radius * radius - x * x));
}

double PlacedRail::turn_to(double z, double x) const {
  if (!(roller_radius > 0.0)) return 0.0;
  return -std::asin(std::clamp(x / (roller_radius - z), -1.0, 1.0));
}

AxesFrame PlacedRail::turned(const AxesFrame& at_top, double turn) const {
  if (!(roller_radius > 0.0)) return at_top;
  const Eigen::Vector3d axle(0.0, 0.0, roller_radius);
  const Eigen::Matrix3d about_axle = turn_y(turn);
  return {about_axle * at_top.rotation, axle + about_axle * (at_top.origin - axle)};
}

Eigen::Vector3d PlacedWheel::around(const Eigen::Vector3d& point, double x) const {
  const double r = radius + point.z();
  return {x, point.y(), std::sqrt(r * r - x * x) - radius};
}

PlacedWheel place_wheel(const Wheelset& wheelset) {
  PlacedWheel wheel;
  wheel.radius = wheelset.nominal_radius;
  wheel.axle = {turn_x(wheelset.roll) * turn_z(wheelset.yaw),
                {0.0, wheelset.y, wheelset.z - wheelset.nominal_radius}};
  wheel.in_wheelset.origin = {0.0,
                              0.5 * wheelset.flange_back_distance - wheelset.flange_back_position,
                              wheelset.nominal_radius};
  wheel.frame = wheel.axle.out(wheel.in_wheelset);
  return wheel;
}

}  // namespace slipfield
