// SPDX-License-Identifier: Apache-2.0
// Hertz's contact of two paraboloids, h = A x^2 + B y^2, in closed form [Johnson1985, ch. 4]
// (THEORY.md 3.3).
#pragma once

#include <optional>
#include <vector>

#include "solver/geometry.h"
#include "solver/problem.h"

namespace slipfield {

struct HertzEllipse {
  double semi_axis_x = 0.0;
  double semi_axis_y = 0.0;
  double force = 0.0;
  double approach = 0.0;
  double max_pressure = 0.0;

  // 1 at the centre, 0 on the border, negative outside.
  [[nodiscard]] double inside(double x, double y) const {
    const double u = x / semi_axis_x;
    const double v = y / semi_axis_y;
    return 1.0 - u * u - v * v;
  }
  // p0 sqrt(inside), 0 outside.
  [[nodiscard]] double pressure(double x, double y) const;
};

// The contact under a force or an approach. curvature_x, curvature_y, load.value, modulus must be >
// 0.
HertzEllipse hertz_ellipse(double curvature_x, double curvature_y, const NormalLoad& load,
                           double contact_modulus);

// u_n(x, y) of its pressure, inside and outside of the contact (THEORY.md 3.3): p0 a b/(2 E*) times
// the integral from w >= 0, the point's ellipsoidal coordinate, to infinity of
//   (1 - x^2/(a^2 + t) - y^2/(b^2 + t)) dt/sqrt((a^2 + t)(b^2 + t) t),
// by elliptic integrals.
double hertz_displacement(const HertzEllipse& ellipse, double contact_modulus, double x, double y);

// What Hertz's theory predicts for a problem before it is solved, if its geometry is a paraboloid.

// The ellipse of the contact along x and y. A cylinder touches along the whole grid in its axis
// direction, loaded by the force per length: that semi-axis is 0 and the approach unknown.
struct HertzEstimate {
  double semi_axis_x = 0.0;
  double semi_axis_y = 0.0;
  double centre_x = 0.0;
  double centre_y = 0.0;
  double max_pressure = 0.0;
  double approach = 0.0;  // measured from h = 0
  double radius_x = 0.0;  // relative radii of curvature; 0 along the axis of a cylinder
  double radius_y = 0.0;

  [[nodiscard]] bool is_line() const { return semi_axis_x == 0.0 || semi_axis_y == 0.0; }
  [[nodiscard]] double length() const {  // the contact's greatest length
    return 2.0 * (semi_axis_x > semi_axis_y ? semi_axis_x : semi_axis_y);
  }
};

// Nothing for other geometries, periodic grids, an approach without contact, and a cylinder under a
// given approach.
std::optional<HertzEstimate> hertz_estimate(const ContactProblem& problem, const NormalLoad& load);

// The paraboloid that the shapes of a geometry add up to: h = A (x - x0)^2 + B (y - y0)^2 + lowest
// (THEORY.md 10.1).
struct Paraboloid {
  double curvature_x = 0.0;  // A
  double curvature_y = 0.0;  // B
  double centre_x = 0.0;     // set if A > 0 (y: B > 0) and not twisted, like `lowest`
  double centre_y = 0.0;
  double lowest = 0.0;
  bool twisted = false;  // it has a term x y
  bool tilted = false;   // it slopes in a direction without curvature
};

// Nothing if a shape is not a paraboloid.
std::optional<Paraboloid> paraboloid_of(const std::vector<Shape>& shapes,
                                        const CombinedMaterial& material);

}  // namespace slipfield
