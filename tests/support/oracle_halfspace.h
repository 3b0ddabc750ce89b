// SPDX-License-Identifier: Apache-2.0
// Influence of a loaded rectangle by numerical integration of point loads: shares no formula with
// solver/influence/influence_coefficients.h, and takes the two bodies, not their combined
// constants.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/material.h"

namespace slipfield::test {

enum class Axis { x, y, n };

// Surface displacement in direction a of the half-space z >= 0 at (x, y) under a unit force in
// direction b at the origin; n: into the body [Boussinesq, Cerruti].
inline double point_load_on_body(Axis a, Axis b, double x, double y, const ElasticBody& body) {
  constexpr double kPi = std::numbers::pi;
  const double nu = body.poisson_ratio;
  const double r2 = x * x + y * y;
  const double r = std::sqrt(r2);
  const double along = 1.0 / (2.0 * kPi * body.shear_modulus);
  const double across = (1.0 - 2.0 * nu) / (4.0 * kPi * body.shear_modulus);
  const auto component = [x, y](Axis axis) { return axis == Axis::x ? x : y; };
  if (a == Axis::n && b == Axis::n) return along * (1.0 - nu) / r;
  if (a == Axis::n) return across * component(b) / r2;
  if (b == Axis::n) return -across * component(a) / r2;
  const double isotropic = a == b ? (1.0 - nu) / r : 0.0;
  return along * (isotropic + nu * component(a) * component(b) / (r2 * r));
}

// Displacement difference, body 1 minus body 2, under a unit force on body 1 and its opposite on
// body 2. Body 2 is the mirror image: its own n, and with it the n of force and displacement,
// points the other way.
inline double point_load(Axis a, Axis b, double x, double y, const ElasticBody& upper,
                         const ElasticBody& lower) {
  const double force = b == Axis::n ? 1.0 : -1.0;
  const double displacement = a == Axis::n ? -1.0 : 1.0;
  return point_load_on_body(a, b, x, y, upper) -
         displacement * force * point_load_on_body(a, b, x, y, lower);
}

struct GaussRule {
  std::vector<double> node;  // on [-1, 1]
  std::vector<double> weight;
};

inline GaussRule gauss_rule(int points) {
  constexpr double kPi = std::numbers::pi;
  GaussRule rule;
  for (int i = 0; i < points; ++i) {
    double x = std::cos(kPi * (i + 0.75) / (points + 0.5));
    double slope = 1.0;
    for (int step = 0; step < 20; ++step) {
      double last = 1.0;
      double value = x;
      for (int k = 2; k <= points; ++k) {
        const double next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * last) / k;
        last = value;
        value = next;
      }
      slope = points * (x * value - last) / (x * x - 1.0);
      x -= value / slope;
    }
    rule.node.push_back(x);
    rule.weight.push_back(2.0 / ((1.0 - x * x) * slope * slope));
  }
  return rule;
}

// Integrals of a function k(x, y) that is homogeneous of degree -1 and singular at the origin only.
class RectangleIntegral {
 public:
  explicit RectangleIntegral(int points = 16) : rule_(gauss_rule(points)) {}

  // Over [x1, x2] x [y1, y2]. The origin outside: Gauss's rule on pieces no longer than their
  // distance from it. Inside or on the edge: four corner rectangles.
  template <class Kernel>
  double operator()(const Kernel& k, double x1, double x2, double y1, double y2) const {
    const double near_x = std::max({x1, -x2, 0.0});
    const double near_y = std::max({y1, -y2, 0.0});
    const double distance = std::hypot(near_x, near_y);
    if (distance == 0.0) {
      return corner(k, x1, y1) + corner(k, x1, y2) + corner(k, x2, y1) + corner(k, x2, y2);
    }
    const double width = x2 - x1;
    const double height = y2 - y1;
    if (std::max(width, height) > distance) {
      const double x = 0.5 * (x1 + x2);
      const double y = 0.5 * (y1 + y2);
      if (width > height) return (*this)(k, x1, x, y1, y2) + (*this)(k, x, x2, y1, y2);
      return (*this)(k, x1, x2, y1, y) + (*this)(k, x1, x2, y, y2);
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < rule_.node.size(); ++i) {
      for (std::size_t j = 0; j < rule_.node.size(); ++j) {
        sum += rule_.weight[i] * rule_.weight[j] *
               k(0.5 * (x1 + x2 + width * rule_.node[i]), 0.5 * (y1 + y2 + height * rule_.node[j]));
      }
    }
    return 0.25 * width * height * sum;
  }

 private:
  // Over the rectangle between the origin and (x, y): with (u x, u t) and (u t, u y) the integrals
  // over u are 1.
  template <class Kernel>
  double corner(const Kernel& k, double x, double y) const {
    if (x == 0.0 || y == 0.0) return 0.0;
    const double right =
        graded([&](double t) { return k(x, t); }, std::abs(x), std::copysign(1.0, y), std::abs(y));
    const double top =
        graded([&](double t) { return k(t, y); }, std::abs(y), std::copysign(1.0, x), std::abs(x));
    return std::abs(x) * right + std::abs(y) * top;
  }

  // Integral over 0 < |t| < length of a function that varies over max(scale, |t|).
  template <class Function>
  double graded(const Function& f, double scale, double sign, double length) const {
    double sum = 0.0;
    for (double from = 0.0; from < length;) {
      const double to = std::min(length, from + 0.5 * std::max(scale, from));
      for (std::size_t i = 0; i < rule_.node.size(); ++i) {
        sum += 0.5 * (to - from) * rule_.weight[i] *
               f(sign * 0.5 * (from + to + (to - from) * rule_.node[i]));
      }
      from = to;
    }
    return sum;
  }

  GaussRule rule_;
};

// Displacement difference a at (x, y) from the centre of a dx * dy rectangle under unit traction b.
inline double integrated_coefficient(const RectangleIntegral& integral, Axis a, Axis b, double x,
                                     double y, double dx, double dy, const ElasticBody& upper,
                                     const ElasticBody& lower) {
  return integral(
      [&](double distance_x, double distance_y) {
        return point_load(a, b, distance_x, distance_y, upper, lower);
      },
      x - 0.5 * dx, x + 0.5 * dx, y - 0.5 * dy, y + 0.5 * dy);
}

// A scale for errors: the integral of 1/(pi G R), which no symmetry makes vanish.
inline double coefficient_scale(const RectangleIntegral& integral, double x, double y, double dx,
                                double dy, const CombinedMaterial& material) {
  constexpr double kPi = std::numbers::pi;
  return integral([](double u, double v) { return 1.0 / std::hypot(u, v); }, x - 0.5 * dx,
                  x + 0.5 * dx, y - 0.5 * dy, y + 0.5 * dy) /
         (kPi * material.shear_modulus);
}

}  // namespace slipfield::test
