// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/hertz_ellipse.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

namespace slipfield {

namespace {

// Adds a shape's coefficients; returns false if it has none.
struct CoefficientAdder {
  const CombinedMaterial& material;
  QuadraticShape& sum;

  bool operator()(const QuadraticShape& s) const {
    sum.xx += s.xx;
    sum.xy += s.xy;
    sum.yy += s.yy;
    sum.x += s.x;
    sum.y += s.y;
    sum.constant += s.constant;
    return true;
  }
  bool operator()(const SphereShape& s) const { return add(0.5 / s.radius, 0.5 / s.radius); }
  bool operator()(const EllipsoidShape& s) const { return add(0.5 / s.radius_x, 0.5 / s.radius_y); }
  bool operator()(const CylinderShape& s) const {
    const bool along_y = s.axis == CylinderAxis::y;
    return add(along_y ? 0.5 / s.radius : 0.0, along_y ? 0.0 : 0.5 / s.radius);
  }
  bool operator()(const HertzShape& s) const {
    const HertzContact contact =
        hertz_contact(s.semi_axis_x, s.semi_axis_y, s.force, material.contact_modulus());
    return add(contact.curvature_x, contact.curvature_y);
  }
  template <class Other>
  bool operator()(const Other& /*shape*/) const {
    return false;
  }

 private:
  [[nodiscard]] bool add(double curvature_x, double curvature_y) const {
    sum.xx += curvature_x;
    sum.yy += curvature_y;
    return true;
  }
};

}  // namespace

std::optional<Paraboloid> paraboloid_of(const std::vector<Shape>& shapes,
                                        const CombinedMaterial& material) {
  QuadraticShape sum;
  for (const Shape& shape : shapes) {
    if (!std::visit(CoefficientAdder{material, sum}, shape)) return std::nullopt;
  }
  Paraboloid result;
  result.curvature_x = sum.xx;
  result.curvature_y = sum.yy;
  result.twisted = sum.xy != 0.0;
  result.tilted = (!(sum.xx > 0.0) && sum.x != 0.0) || (!(sum.yy > 0.0) && sum.y != 0.0);
  if (sum.xx > 0.0) result.centre_x = -0.5 * sum.x / sum.xx;
  if (sum.yy > 0.0) result.centre_y = -0.5 * sum.y / sum.yy;
  result.lowest = sum.constant + 0.5 * (sum.x * result.centre_x + sum.y * result.centre_y);
  return result;
}

namespace {

constexpr double kHalfPi = 0.5 * std::numbers::pi;

// The ratio a/b >= 1 of the semi-axes for B/A >= 1, by the secant of their logarithms: the slope is
// 3/2 at a = b, and goes to 2.
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
  // Under the force F an ellipse s times as large has F/s^3 times the curvatures and F/s times the
  // approach.
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

namespace {

bool is_usable(double number) { return std::isfinite(number) && number > 0.0; }

std::optional<HertzEstimate> ellipse_estimate(const Paraboloid& paraboloid, NormalLoad load,
                                              double contact_modulus) {
  if (load.control == NormalControl::approach) load.value -= paraboloid.lowest;
  if (!is_usable(load.value) || load.control == NormalControl::pull_off) return std::nullopt;
  const HertzEllipse ellipse =
      hertz_ellipse(paraboloid.curvature_x, paraboloid.curvature_y, load, contact_modulus);
  HertzEstimate estimate;
  estimate.semi_axis_x = ellipse.semi_axis_x;
  estimate.semi_axis_y = ellipse.semi_axis_y;
  estimate.max_pressure = ellipse.max_pressure;
  estimate.approach = ellipse.approach + paraboloid.lowest;
  if (!is_usable(estimate.semi_axis_x) || !is_usable(estimate.semi_axis_y)) return std::nullopt;
  return estimate;
}

// Johnson 1985, eq. 4.43 to 4.45: a^2 = 4 P R/(pi E*), p0 = 2 P/(pi a), P the force per length.
std::optional<HertzEstimate> line_estimate(const Paraboloid& paraboloid, const NormalLoad& load,
                                           double contact_modulus, const Grid& grid) {
  if (load.control != NormalControl::force) return std::nullopt;
  const bool across_x = paraboloid.curvature_x > 0.0;
  const double length = across_x ? grid.my * grid.dy : grid.mx * grid.dx;
  const double curvature = across_x ? paraboloid.curvature_x : paraboloid.curvature_y;
  const double per_length = load.value / length;
  const double semi_axis =
      std::sqrt(2.0 * per_length / (std::numbers::pi * contact_modulus * curvature));
  if (!is_usable(semi_axis)) return std::nullopt;
  HertzEstimate estimate;
  (across_x ? estimate.semi_axis_x : estimate.semi_axis_y) = semi_axis;
  estimate.max_pressure = 2.0 * per_length / (std::numbers::pi * semi_axis);
  return estimate;
}

}  // namespace

std::optional<HertzEstimate> hertz_estimate(const ContactProblem& problem, const NormalLoad& load) {
  if (problem.grid.boundary != Boundary::free || problem.layer.normal_compliance > 0.0 ||
      problem.adhesion.exists() || is_layered(problem.upper) || is_layered(problem.lower))
    return std::nullopt;
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  const auto paraboloid = paraboloid_of(problem.geometry, material);
  if (!paraboloid || paraboloid->twisted || paraboloid->tilted) return std::nullopt;
  const double a = paraboloid->curvature_x;
  const double b = paraboloid->curvature_y;
  std::optional<HertzEstimate> estimate;
  if (is_usable(a) && is_usable(b))
    estimate = ellipse_estimate(*paraboloid, load, material.contact_modulus());
  else if ((is_usable(a) && b == 0.0) || (a == 0.0 && is_usable(b)))
    estimate = line_estimate(*paraboloid, load, material.contact_modulus(), problem.grid);
  if (!estimate || !is_usable(estimate->max_pressure)) return std::nullopt;
  estimate->centre_x = paraboloid->centre_x;
  estimate->centre_y = paraboloid->centre_y;
  if (a > 0.0) estimate->radius_x = 0.5 / a;
  if (b > 0.0) estimate->radius_y = 0.5 / b;
  return estimate;
}

}  // namespace slipfield
