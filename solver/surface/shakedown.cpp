// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/shakedown.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/interior/fatigue_stress.h"

namespace slipfield {
namespace {

constexpr double kPoissonOfLimits = 0.3;

// Positions at which a passage at one depth is evaluated: dense around the contact, then coarser.
std::vector<double> passage_places() {
  std::vector<double> places;
  constexpr double kClose = 1.5;
  constexpr int kWider = 19;
  for (int i = 0; i <= 240; ++i) places.push_back(kClose * (i - 120) / 120.0);
  for (int i = 1; i <= kWider; ++i) {
    const double x = kClose * std::pow(1.1, i);
    places.push_back(x);
    places.push_back(-x);
  }
  return places;
}

// The greatest of the three shear stresses in plane strain.
double greatest_shear(const PlaneStress& at) {
  const double mean = 0.5 * (at.xx + at.zz);
  const double radius = std::hypot(0.5 * (at.xx - at.zz), at.xz);
  const double across = 2.0 * kPoissonOfLimits * mean;
  return std::max(
      {radius, 0.5 * std::fabs(mean + radius - across), 0.5 * std::fabs(mean - radius - across)});
}

double elastic_shear(const std::vector<double>& places, double depth, double friction) {
  double most = 0.0;
  for (const double x : places)
    most = std::max(most, greatest_shear(hertz_line_stress(x, depth, friction)));
  return most;
}

// The remaining greatest shear stress in the plane with the best residual stress along x: the
// radius of the smallest circle around the passage whose centre has no shear stress. Adding the
// mirrored passage forces the centre there.
double shakedown_shear(const std::vector<double>& places, double depth, double friction) {
  std::vector<DeviatorPoint> passage{DeviatorPoint{}};
  for (const double x : places) {
    const PlaneStress at = hertz_line_stress(x, depth, friction);
    DeviatorPoint point{0.5 * (at.xx - at.zz)};
    for (const double shear : {at.xz, -at.xz}) {
      point[1] = shear;
      passage.push_back(point);
    }
  }
  return smallest_ball(passage).radius;
}

// The greatest value over the depth, by repeated refinement of evenly spaced depths.
template <class Shear>
double greatest_over_depth(const Shear& shear) {
  constexpr int kIntervals = 40;
  double from = 0.0;
  double to = 1.6;
  double most = 0.0;
  for (int round = 0; round < 3; ++round) {
    const double step = (to - from) / kIntervals;
    double at = from;
    for (int i = 0; i <= kIntervals; ++i) {
      const double here = shear(from + i * step);
      if (here <= most) continue;
      most = here;
      at = from + i * step;
    }
    from = std::max(at - step, 0.0);
    to = at + step;
  }
  return most;
}

// For a circular contact, in steps of 0.05 of the friction: the greatest shear stress, and the part
// of it that remains below the surface after residual stresses along x; both over p_0. On 81 x 81
// elements; depth in steps of 0.02 a.
constexpr double kTableStep = 0.05;
constexpr std::array kPointShear = {0.3100, 0.3106, 0.3123, 0.3153, 0.3195, 0.3249,
                                    0.3402, 0.3867, 0.4337, 0.4812, 0.5287};
constexpr std::array kPointShakedown = {0.2137, 0.2277, 0.2420, 0.2565, 0.2713, 0.2863, 0.3015};
// The second of a line, by shakedown_shear().
constexpr std::array kLineShakedown = {0.2500, 0.2651, 0.2805, 0.2962,
                                       0.3122, 0.3284, 0.3448, 0.3614};

// Linear between the numbers; the last line continues beyond them.
template <std::size_t N>
double between(const std::array<double, N>& table, double friction) {
  const double position = friction / kTableStep;
  const auto first = std::min(static_cast<std::size_t>(position), N - 2);
  return std::lerp(table[first], table[first + 1], position - static_cast<double>(first));
}

}  // namespace

PlaneStress hertz_line_stress(double x, double z, double friction) {
  const double f = 1.0 - x * x + z * z;
  const double root = std::hypot(f, 2.0 * x * z);
  const double m = std::sqrt(std::max(0.5 * (root + f), 0.0));
  const double n = std::copysign(std::sqrt(std::max(0.5 * (root - f), 0.0)), x);
  const double inverse = root > 0.0 ? 1.0 / root : 0.0;
  const double zn = (z * z + n * n) * inverse;
  const double mz = (m * m - z * z) * inverse;
  const PlaneStress normal{-(m * (1.0 + zn) - 2.0 * z), -m * (1.0 - zn), -n * mz};
  return {normal.xx + friction * (n * (2.0 + mz) - 2.0 * x), normal.zz + friction * normal.xz,
          normal.xz + friction * normal.xx};
}

ShakedownLimits line_limits(double friction) {
  const std::vector<double> places = passage_places();
  return {1.0 / greatest_over_depth(
                    [&](double depth) { return elastic_shear(places, depth, friction); }),
          1.0 / greatest_over_depth(
                    [&](double depth) { return shakedown_shear(places, depth, friction); })};
}

ShakedownLimits point_limits(double friction) {
  // At the surface no residual stress can remove the friction itself.
  return {1.0 / std::max(between(kPointShear, friction), friction),
          1.0 / std::max(between(kPointShakedown, friction), friction)};
}

namespace {

// The greatest shear stress on planes parallel to the surface under an ellipse that rolls across
// its longer axis, for p_0 = 1: Lundberg and Palmgren's closed form, by their parameter t >= 1.
double orthogonal_shear(double length_over_width) {
  const auto ratio = [](double t) { return std::sqrt((t * t - 1.0) * (2.0 * t - 1.0)); };
  double low = 1.0;
  double high = 1.4;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (ratio(middle) < length_over_width ? low : high) = middle;
  }
  return 0.5 * std::sqrt(2.0 * low - 1.0) / (low * (low + 1.0));
}

}  // namespace

ShakedownLimits ellipse_limits(double friction, double width_over_length) {
  const ShakedownLimits point = point_limits(friction);
  if (!(width_over_length > 1.0)) return point;
  const double circle = orthogonal_shear(1.0);
  const double share =  // of a line
      (orthogonal_shear(1.0 / width_over_length) - circle) / (orthogonal_shear(0.0) - circle);
  const double below =
      std::lerp(between(kPointShakedown, friction), between(kLineShakedown, friction), share);
  const double shakedown = 1.0 / std::max(below, friction);
  return {std::min(point.elastic, shakedown), shakedown};
}

}  // namespace slipfield
