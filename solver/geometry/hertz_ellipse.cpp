// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/hertz_ellipse.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/geometry.h"

namespace slipfield {
namespace {

constexpr double kHalfPi = 1.57079632679489661923;

// The ratio a/b >= 1 of the semi-axes for B/A >= 1, by the secant of their logarithms: the slope is 3/2 at
// a = b, and goes to 2.
double axis_ratio(double curvature_ratio) {
  constexpr int kMostSteps = 30;
  constexpr double kLastStep = 1.0e-15;
  const double target = std::log(curvature_ratio);
  double slope = 1.5;
  double at = target / slope;
  double step = 0.0;
  double off = 0.0;
  for (int i = 0; i < kMostSteps; ++i) {
    const HertzContact unit = hertz_contact(std::exp(at), 1.0, 1.0, 1.0);
    const double now = std::log(unit.curvature_y / unit.curvature_x) - target;
    if (i > 0 && now != off) slope = (now - off) / step;
    off = now;
    step = -off / slope;
    if (!std::isfinite(step)) break;
    at += step;
    if (std::fabs(step) <= kLastStep * (1.0 + at)) break;
  }
  return std::max(1.0, std::exp(at));
}

}  // namespace

double HertzEllipse::pressure(double x, double y) const {
  return max_pressure * std::sqrt(std::max(inside(x, y), 0.0));
}

HertzEllipse hertz_ellipse(double curvature_x, double curvature_y, const NormalLoad& load,
                           double contact_modulus) {
  const bool long_in_x = curvature_x <= curvature_y;
  const double ratio =
      long_in_x ? axis_ratio(curvature_y / curvature_x) : axis_ratio(curvature_x / curvature_y);
  const double a = long_in_x ? ratio : 1.0;
  const double b = long_in_x ? 1.0 : ratio;
  // An ellipse s times as large under the force F has F/s^3 times the curvatures, F/s the approach.
  const HertzContact unit = hertz_contact(a, b, 1.0, contact_modulus);
  const double scale =
      load.control == NormalControl::force
          ? std::cbrt(load.value * unit.curvature_x / curvature_x)
          : std::sqrt(load.value * unit.curvature_x / (curvature_x * unit.approach));
  HertzEllipse ellipse;
  ellipse.semi_axis_x = scale * a;
  ellipse.semi_axis_y = scale * b;
  ellipse.force = load.control == NormalControl::force
                      ? load.value
                      : curvature_x * scale * scale * scale / unit.curvature_x;
  ellipse.approach = unit.approach * ellipse.force / scale;
  ellipse.max_pressure = unit.max_pressure * ellipse.force / (scale * scale);
  return ellipse;
}

double hertz_displacement(const HertzEllipse& ellipse, double contact_modulus, double x, double y) {
  double a = ellipse.semi_axis_x;
  double b = ellipse.semi_axis_y;
  if (a < b) {
    std::swap(a, b);
    std::swap(x, y);
  }
  // w: the greater root of x^2/(a^2 + w) + y^2/(b^2 + w) = 1, 0 inside; sin(phi) = a/sqrt(a^2 + w).
  double w = 0.0;
  if (x * x / (a * a) + y * y / (b * b) > 1.0) {
    const double half = 0.5 * (x * x + y * y - a * a - b * b);
    w = half + std::sqrt(half * half + x * x * b * b + y * y * a * a - a * a * b * b);
  }
  const double sine = a / std::sqrt(a * a + w);
  const double cosine = std::sqrt(w / (a * a + w));
  const double phi = w > 0.0 ? std::atan2(a, std::sqrt(w)) : kHalfPi;
  const double k2 = (a - b) * (a + b) / (a * a);
  // Integrals over the angle of 1/D, sin^2/D and sin^2/D^3, D^2 = 1 - k^2 sin^2.
  double plain = phi;
  double along_a = 0.5 * (phi - sine * cosine);
  double along_b = along_a;
  if (k2 > 1.0e-8) {
    const double k = std::sqrt(k2);
    const double rest2 = b * b / (a * a);
    const double e = std::ellint_2(k, phi);
    plain = std::ellint_1(k, phi);
    along_a = (plain - e) / k2;
    along_b = (e - rest2 * plain) / (k2 * rest2) -
              sine * cosine / (rest2 * std::sqrt(1.0 - k2 * sine * sine));
  }
  return ellipse.max_pressure * b / contact_modulus *
         (plain - (x * x * along_a + y * y * along_b) / (a * a));
}

}  // namespace slipfield
