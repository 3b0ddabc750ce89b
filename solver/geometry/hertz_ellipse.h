// SPDX-License-Identifier: Apache-2.0
// Hertz's contact of two paraboloids, h = A x^2 + B y^2, in closed form [Johnson1985, ch. 4]
// (THEORY.md 3.3).
#pragma once

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

// The contact under a force or an approach. curvature_x, curvature_y, load.value, modulus > 0.
HertzEllipse hertz_ellipse(double curvature_x, double curvature_y, const NormalLoad& load,
                           double contact_modulus);

// u_n(x, y) of its pressure, inside and outside of the contact (THEORY.md 3.3): p0 a b/(2 E*) times
// the integral from w >= 0, the point's ellipsoidal coordinate, to infinity of
//   (1 - x^2/(a^2 + t) - y^2/(b^2 + t)) dt/sqrt((a^2 + t)(b^2 + t) t),
// by elliptic integrals.
double hertz_displacement(const HertzEllipse& ellipse, double contact_modulus, double x, double y);

}  // namespace slipfield
