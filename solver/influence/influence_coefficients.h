// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of the elastic half-space for a uniformly loaded rectangle.
//
// influence_coefficient(c, x, y, ...): displacement difference in the first direction of c at
// (x, y) [length] per unit traction [force/length^2] in its second direction on a dx * dy rectangle
// centred at the origin. Closed forms of Boussinesq-Cerruti and [Love1929], after
// [Kalker1990, ch. 4] (THEORY.md 2.2):
//   nn = (1-nu)/(pi G) [X ln(Y+R) + Y ln(X+R)]
//   xx = 1/(pi G) [Y ln(X+R) + (1-nu) X ln(Y+R)]
//   yy = 1/(pi G) [X ln(Y+R) + (1-nu) Y ln(X+R)]
//   xy = yx = -nu/(pi G) [R]
//   xn = -K/(pi G) [X atan(Y/X) + Y ln R]
//   yn = -K/(pi G) [Y atan(X/Y) + X ln R]
//   nx(x, y) = -xn(x, y), ny(x, y) = -yn(x, y)
// with [F] the alternating sum over the corners X = x -+ dx/2, Y = y -+ dy/2. The sums are taken
// edge by edge as logarithms of ratios near 1, so that far coefficients keep their digits (a plain
// sum loses (R/dx)^2 eps; THEORY.md 2.3). nn, xx, yy are even in x and y; xy is odd in both; xn is
// odd in x, yn in y.
#pragma once

#include <cmath>

#include "solver/host_device.h"
#include "solver/material.h"

namespace slipfield {

enum class Component { nn, xx, yy, xy, xn, yn };
inline constexpr int kComponents = 6;

// A(-x, y) = parity.x A(x, y), and likewise in y, for displacements at the time of the tractions.
struct Parity {
  int x = 1;
  int y = 1;
};
SLIPFIELD_HD constexpr Parity parity(Component component) {
  return {component == Component::xy || component == Component::xn ? -1 : 1,
          component == Component::xy || component == Component::yn ? -1 : 1};
}
// The component after exchanging x and y.
constexpr Component with_axes_swapped(Component component) {
  switch (component) {
    case Component::xx:
      return Component::yy;
    case Component::yy:
      return Component::xx;
    case Component::xn:
      return Component::yn;
    case Component::yn:
      return Component::xn;
    default:
      return component;
  }
}

namespace coefficient_detail {

// ln((Y2+R2)/(Y1+R1)) for Y1 < Y2 at the same X; the caller excludes X = 0.
SLIPFIELD_HD inline double log_edge(double x, double y1, double y2) {
  const double r1 = std::sqrt(x * x + y1 * y1);
  const double r2 = std::sqrt(x * x + y2 * y2);
  if (y1 >= 0.0) return std::log1p((y2 - y1) * (1.0 + (y1 + y2) / (r1 + r2)) / (y1 + r1));
  if (y2 <= 0.0) return std::log1p((y2 - y1) * (1.0 - (y1 + y2) / (r1 + r2)) / (r2 - y2));
  return std::asinh(y2 / std::fabs(x)) + std::asinh(-y1 / std::fabs(x));
}

// [X ln(Y+R)]
SLIPFIELD_HD inline double love(double x1, double x2, double y1, double y2) {
  const double upper = x2 == 0.0 ? 0.0 : x2 * log_edge(x2, y1, y2);
  const double lower = x1 == 0.0 ? 0.0 : x1 * log_edge(x1, y1, y2);
  return upper - lower;
}

// [R]
SLIPFIELD_HD inline double distance_sum(double x1, double x2, double y1, double y2) {
  const double upper =
      (y2 * y2 - y1 * y1) / (std::sqrt(x2 * x2 + y2 * y2) + std::sqrt(x2 * x2 + y1 * y1));
  const double lower =
      (y2 * y2 - y1 * y1) / (std::sqrt(x1 * x1 + y2 * y2) + std::sqrt(x1 * x1 + y1 * y1));
  return upper - lower;
}

// atan(Y2/X) - atan(Y1/X); the caller excludes X = 0.
SLIPFIELD_HD inline double atan_edge(double x, double y1, double y2) {
  return std::atan2(std::fabs(x) * (y2 - y1), x * x + y1 * y2) * (x < 0.0 ? -1.0 : 1.0);
}

// Y (ln R(X2) - ln R(X1)); 0 at Y = 0.
SLIPFIELD_HD inline double log_radius_edge(double y, double x1, double x2) {
  if (y == 0.0) return 0.0;
  const double difference = (x2 - x1) * (x2 + x1);
  // Starting from the nearer corner keeps the logarithm's argument away from 0.
  return difference >= 0.0 ? 0.5 * y * std::log1p(difference / (x1 * x1 + y * y))
                           : -0.5 * y * std::log1p(-difference / (x2 * x2 + y * y));
}

// [X atan(Y/X) + Y ln R]
SLIPFIELD_HD inline double skew(double x1, double x2, double y1, double y2) {
  const double angle = (x2 == 0.0 ? 0.0 : x2 * atan_edge(x2, y1, y2)) -
                       (x1 == 0.0 ? 0.0 : x1 * atan_edge(x1, y1, y2));
  return angle + log_radius_edge(y2, x1, x2) - log_radius_edge(y1, x1, x2);
}

}  // namespace coefficient_detail

SLIPFIELD_HD inline double influence_coefficient(Component component, double x, double y, double dx,
                                                 double dy, const CombinedMaterial& material) {
  const double x1 = x - 0.5 * dx;
  const double x2 = x + 0.5 * dx;
  const double y1 = y - 0.5 * dy;
  const double y2 = y + 0.5 * dy;
  const double scale = 1.0 / (3.14159265358979323846 * material.shear_modulus);
  const double nu = material.poisson_ratio;
  namespace detail = coefficient_detail;
  switch (component) {
    case Component::nn:
      return scale * (1.0 - nu) * (detail::love(x1, x2, y1, y2) + detail::love(y1, y2, x1, x2));
    case Component::xx:
      return scale * (detail::love(y1, y2, x1, x2) + (1.0 - nu) * detail::love(x1, x2, y1, y2));
    case Component::yy:
      return scale * (detail::love(x1, x2, y1, y2) + (1.0 - nu) * detail::love(y1, y2, x1, x2));
    case Component::xy:
      return -scale * nu * detail::distance_sum(x1, x2, y1, y2);
    case Component::xn:
      return -scale * material.coupling * detail::skew(x1, x2, y1, y2);
    case Component::yn:
      return -scale * material.coupling * detail::skew(y1, y2, x1, x2);
  }
  return 0.0;
}

// Added coefficient of a layer between the bodies at the difference of positions (x, y): its
// compliance at the loaded element, falling linearly to 0 at the neighbours (THEORY.md 5.10).
SLIPFIELD_HD inline double layer_coefficient(Component component, double x, double y, double dx,
                                             double dy, const CombinedMaterial& material) {
  const bool along = component == Component::xx || component == Component::yy;
  const double compliance =
      along ? material.layer : (component == Component::nn ? material.sheet : 0.0);
  const double in_x = 1.0 - std::fabs(x) / dx;
  const double in_y = 1.0 - std::fabs(y) / dy;
  return in_x > 0.0 && in_y > 0.0 ? compliance * in_x * in_y : 0.0;
}
SLIPFIELD_HD inline bool has_layer(const CombinedMaterial& material) {
  return material.layer != 0.0 || material.sheet != 0.0;
}

}  // namespace slipfield
