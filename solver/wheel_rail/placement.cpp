// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/placement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace slipfield {
namespace {

// s in [low, high] where z of the curve is as asked, which lies between those of the ends.
double solve_z(const SplineCurve& curve, double low, double high, double z) {
  const bool falls = curve.at(low).z() > z;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    ((curve.at(middle).z() > z) == falls ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// The top of the rail that wheels run on. A check rail, on the gauge side of a groove that is
// deeper than the gauge height, may stand higher.
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

// The rail's place towards the track's centre: the least y among what is less than the gauge
// height below the top, on the gauge side of it, without what lies beyond a groove; at that height
// itself where the rail grows wider below.
double find_gauge_point(const SplineCurve& curve, double top, double height, bool& is_end) {
  const double lowest = curve.at(top).z() + height;
  const std::vector<double>& knots = curve.knots();
  std::size_t first = 0;
  for (std::size_t i = 0; i < knots.size() && knots[i] < top; ++i)
    if (curve.at_knot(i).z() > lowest) first = i + 1;
  std::size_t least = first;
  for (std::size_t i = first; i < knots.size() && knots[i] <= top; ++i)
    if (curve.at_knot(i).y() < curve.at_knot(least).y()) least = i;
  is_end = first == 0 && least == 0;
  if (is_end) return curve.at_knot(0).y();
  if (least == first)
    return curve.at(solve_z(curve, knots[first - 1], std::min(knots[first], top), lowest)).y();
  return curve.at(curve.least(1, knots[least - 1], knots[least + 1])).y();
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

PlacedRail place_rail(const Profile& rail, const Track& track) {
  if (track.rail_origin) {
    const auto& [y, z] = *track.rail_origin;
    const AxesFrame frame{turn_x(track.rail_roll - track.cant),
                          {0.0, y + track.rail_y, z + track.rail_z}};
    return {frame, rail.curve.moved(frame), 0.0, false, track.roller_radius};
  }
  const SplineCurve canted = rail.curve.moved({turn_x(-track.cant), Eigen::Vector3d::Zero()});
  const double top = find_top(canted, track.gauge_height);
  bool is_end = false;
  const double gauge_point = find_gauge_point(canted, top, track.gauge_height, is_end);
  const double height = track.roller_radius > 0.0 ? 0.0 : -canted.at(top).z();
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
