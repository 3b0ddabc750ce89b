// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements inside a half-space under a uniformly loaded rectangle (THEORY.md
// 12.1): those of Boussinesq and Cerruti's point loads, integrated in closed form.
//
// The half-space is z >= 0, z the depth; loads act on it: x, y along the surface, n into it.
// Stresses are positive in tension [force/length^2] and per unit load, so that at the surface
// under the load sigma_zz = -n, sigma_xz = -x, sigma_yz = -y. Displacements are times the shear
// modulus: [length] per unit load.
#pragma once

#include <cmath>

#include "solver/host_device.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {

// Derivatives of the potentials of a uniformly loaded rectangle on a half-space, in closed form
// (THEORY.md 12.2).
//
// With rho the distance from the field point (x, y, z), z >= 0 the depth, to a point of the
// rectangle dx * dy centred at the origin of the surface:
//   V   = integral of 1/rho
//   Psi = integral of ln(rho + z)
//   chi = integral of z ln(rho + z) - rho
// so that V = d Psi/dz, Psi = d chi/dz, all three harmonic. Tests compare the closed forms with a
// quadrature of point loads. On the rectangle's edge, where a value jumps, the result is the mean
// of both sides; where it is infinite (logarithms, at the surface), the value at 1e-10 of an
// element from there.

// Indices: 1 is x, 2 is y, 3 is the depth z. v13 is the derivative of V by x and z.
struct RectanglePotentials {
  double v, v1, v2, v3, v11, v22, v12, v13, v23;
  double psi1, psi2, psi11, psi22, psi12, psi112, psi122;
  double chi11, chi22, chi12, chi112, chi122;

  // The potentials of the same rectangle and point with x and y exchanged.
  [[nodiscard]] SLIPFIELD_HD RectanglePotentials exchanged() const {
    return {v,     v2,    v1,    v3,     v22,    v11,   v12,   v23,   v13,    psi2,  psi1,
            psi22, psi11, psi12, psi122, psi112, chi22, chi11, chi12, chi122, chi112};
  }
};

namespace interior_detail {

inline constexpr double kNearest = 1.0e-10;  // closest distance to a singularity, in elements

// Contribution of one corner (X, Y) of the rectangle, seen from the field point.
struct Corner {
  double x, y, rho;
  double angle;  // atan(XY/(z rho))
  double a1;     // atan(Y/X) - atan(z Y/(X rho)), in one arc: no branch, exact at z = 0

  SLIPFIELD_HD Corner(double corner_x, double corner_y, double z, double nearest)
      : x(corner_x),
        y(corner_y),
        rho(std::fmax(std::sqrt(x * x + y * y + z * z), nearest)),
        angle(std::atan2(x * y, z * rho)),
        a1(std::atan2(x * y * (x * x + y * y), (rho + z) * (x * x * rho + z * y * y))) {}
};

// F(X2, Y2) - F(X2, Y1) - F(X1, Y2) + F(X1, Y1)
SLIPFIELD_HD inline double alternate(double f22, double f21, double f12, double f11) {
  return (f22 - f21) - (f12 - f11);
}

// ln((rho2 + z)/(rho1 + z)) of two corners whose squared distances differ by `squares`.
SLIPFIELD_HD inline double log_ratio(double rho2, double rho1, double z, double squares) {
  const double nearer = squares < 0.0 ? rho2 : rho1;
  const double value = std::log1p(std::fabs(squares) / ((rho1 + rho2) * (nearer + z)));
  return squares < 0.0 ? -value : value;
}

}  // namespace interior_detail

// x, y: the field point from the rectangle's centre; z >= 0: its depth. [length]
SLIPFIELD_HD inline RectanglePotentials rectangle_potentials(double x, double y, double z,
                                                             double dx, double dy) {
  using interior_detail::alternate;
  using interior_detail::Corner;
  using interior_detail::log_ratio;
  const double x1 = x - 0.5 * dx;
  const double x2 = x + 0.5 * dx;
  const double y1 = y - 0.5 * dy;
  const double y2 = y + 0.5 * dy;
  const double nearest = interior_detail::kNearest * std::fmin(dx, dy);
  const Corner c11(x1, y1, z, nearest);
  const Corner c12(x1, y2, z, nearest);
  const Corner c21(x2, y1, z, nearest);
  const Corner c22(x2, y2, z, nearest);
  const auto sum = [&](auto f) { return alternate(f(c22), f(c21), f(c12), f(c11)); };

  // ln(rho + Y) along the edges at X1, X2, and ln(rho + X) along those at Y1, Y2.
  const auto from_edge = [&](double across) {
    return std::fmax(std::sqrt(across * across + z * z), nearest);
  };
  const double log_y1 = coefficient_detail::log_edge(from_edge(x1), y1, y2);
  const double log_y2 = coefficient_detail::log_edge(from_edge(x2), y1, y2);
  const double log_x1 = coefficient_detail::log_edge(from_edge(y1), x1, x2);
  const double log_x2 = coefficient_detail::log_edge(from_edge(y2), x1, x2);
  // ln(rho + z), between the corners at X1 and X2, and between those at Y1 and Y2.
  const double squares_x = (x2 - x1) * (x2 + x1);
  const double squares_y = (y2 - y1) * (y2 + y1);
  const double over_x1 = log_ratio(c21.rho, c11.rho, z, squares_x);
  const double over_x2 = log_ratio(c22.rho, c12.rho, z, squares_x);
  const double over_y1 = log_ratio(c12.rho, c11.rho, z, squares_y);
  const double over_y2 = log_ratio(c22.rho, c21.rho, z, squares_y);

  const double s1 = from_edge(x1) * from_edge(x1);
  const double s2 = from_edge(x2) * from_edge(x2);
  const double t1 = from_edge(y1) * from_edge(y1);
  const double t2 = from_edge(y2) * from_edge(y2);
  // [Y/rho] along the edges at X1, X2, and [X/rho] along those at Y1, Y2.
  const double along_y1 = y2 / c12.rho - y1 / c11.rho;
  const double along_y2 = y2 / c22.rho - y1 / c21.rho;
  const double along_x1 = x2 / c21.rho - x1 / c11.rho;
  const double along_x2 = x2 / c22.rho - x1 / c12.rho;

  RectanglePotentials p{};
  p.v1 = log_y2 - log_y1;
  p.v2 = log_x2 - log_x1;
  p.v3 = -sum([](const Corner& c) { return c.angle; });
  const double x_log = x2 * log_y2 - x1 * log_y1;
  const double y_log = y2 * log_x2 - y1 * log_x1;
  p.v = x_log + y_log + z * p.v3;
  p.v11 = -(x2 * along_y2 / s2 - x1 * along_y1 / s1);
  p.v22 = -(y2 * along_x2 / t2 - y1 * along_x1 / t1);
  p.v12 = sum([](const Corner& c) { return 1.0 / c.rho; });
  p.v13 = -z * (along_y2 / s2 - along_y1 / s1);
  p.v23 = -z * (along_x2 / t2 - along_x1 / t1);
  p.psi11 = sum([](const Corner& c) { return c.a1; });
  p.psi22 = -p.v3 - p.psi11;
  p.psi12 = over_y2 - over_y1;
  p.psi1 = y2 * over_x2 - y1 * over_x1 + z * p.v1 + x2 * (c22.a1 - c21.a1) - x1 * (c12.a1 - c11.a1);
  p.psi2 = x2 * over_y2 - x1 * over_y1 + z * p.v2 +
           y2 * ((c22.angle - c22.a1) - (c12.angle - c12.a1)) -
           y1 * ((c21.angle - c21.a1) - (c11.angle - c11.a1));
  p.psi122 = sum([&](const Corner& c) { return c.y / (c.rho * (c.rho + z)); });
  p.psi112 = sum([&](const Corner& c) { return c.x / (c.rho * (c.rho + z)); });
  p.chi11 = z * p.psi11 - x_log;
  p.chi22 = z * p.psi22 - y_log;
  p.chi12 = z * p.psi12 - sum([](const Corner& c) { return c.rho; });
  p.chi122 = -sum([&](const Corner& c) { return c.y / (c.rho + z); });
  p.chi112 = -sum([&](const Corner& c) { return c.x / (c.rho + z); });
  return p;
}

enum class InteriorComponent { xx, yy, zz, xy, xz, yz, x, y, z };  // the last three: displacement
inline constexpr int kStressComponents = 6;
inline constexpr int kInteriorComponents = 9;
inline constexpr int kLoads = 3;  // x, y, n

struct InteriorResponse {
  double of[kLoads][kInteriorComponents];
};

// Whether a component due to a load changes sign with x (or y).
SLIPFIELD_HD constexpr Parity interior_parity(int load, int component) {
  const bool odd_x = component == static_cast<int>(InteriorComponent::xy) ||
                     component == static_cast<int>(InteriorComponent::xz) ||
                     component == static_cast<int>(InteriorComponent::x);
  const bool odd_y = component == static_cast<int>(InteriorComponent::xy) ||
                     component == static_cast<int>(InteriorComponent::yz) ||
                     component == static_cast<int>(InteriorComponent::y);
  return {(odd_x ? -1 : 1) * (load == 0 ? -1 : 1), (odd_y ? -1 : 1) * (load == 1 ? -1 : 1)};
}

namespace interior_detail {

inline constexpr double kTwoPi = 6.28318530717958647692;

// The response to a load along x; with exchanged axes also used for a load along y.
SLIPFIELD_HD inline void tangential_response(const RectanglePotentials& p, double z, double nu,
                                             double (&of)[kInteriorComponents]) {
  const double chi111 = -p.chi122 - p.v1;
  const double psi111 = -p.psi122 - p.v13;
  of[0] = (2.0 * (1.0 + nu) * p.v1 + 2.0 * nu * chi111 - z * psi111) / kTwoPi;
  of[1] = (2.0 * nu * (p.v1 + p.chi122) - z * p.psi122) / kTwoPi;
  of[2] = -z * p.v13 / kTwoPi;
  of[3] = (p.v2 + 2.0 * nu * p.chi112 - z * p.psi112) / kTwoPi;
  of[4] = (p.v3 - z * p.v11) / kTwoPi;
  of[5] = -z * p.v12 / kTwoPi;
  of[6] = (p.v + nu * p.chi11 - 0.5 * z * p.psi11) / kTwoPi;
  of[7] = (nu * p.chi12 - 0.5 * z * p.psi12) / kTwoPi;
  of[8] = 0.5 * ((1.0 - 2.0 * nu) * p.psi1 - z * p.v1) / kTwoPi;
}

SLIPFIELD_HD inline void normal_response(const RectanglePotentials& p, double z, double nu,
                                         double (&of)[kInteriorComponents]) {
  const double rest = 1.0 - 2.0 * nu;
  of[0] = (2.0 * nu * p.v3 - z * p.v11 - rest * p.psi11) / kTwoPi;
  of[1] = (2.0 * nu * p.v3 - z * p.v22 - rest * p.psi22) / kTwoPi;
  of[2] = (p.v3 + z * (p.v11 + p.v22)) / kTwoPi;
  of[3] = (-z * p.v12 - rest * p.psi12) / kTwoPi;
  of[4] = -z * p.v13 / kTwoPi;
  of[5] = -z * p.v23 / kTwoPi;
  of[6] = -0.5 * (z * p.v1 + rest * p.psi1) / kTwoPi;
  of[7] = -0.5 * (z * p.v2 + rest * p.psi2) / kTwoPi;
  of[8] = ((1.0 - nu) * p.v - 0.5 * z * p.v3) / kTwoPi;
}

}  // namespace interior_detail

// The component whose response to a load along x, with x and y exchanged, is this one's to a load
// along y.
SLIPFIELD_HD constexpr int exchanged_component(int component) {
  constexpr int kExchanged[kInteriorComponents] = {1, 0, 2, 3, 5, 4, 7, 6, 8};
  return kExchanged[component];
}

// At (x, y) from the centre of a rectangle dx * dy, at the depth z >= 0; nu: Poisson's ratio.
SLIPFIELD_HD inline InteriorResponse interior_response(double x, double y, double z, double dx,
                                                       double dy, double nu) {
  const RectanglePotentials p = rectangle_potentials(x, y, z, dx, dy);
  InteriorResponse response{};
  interior_detail::tangential_response(p, z, nu, response.of[0]);
  double turned[kInteriorComponents] = {};
  interior_detail::tangential_response(p.exchanged(), z, nu, turned);
  for (int component = 0; component < kInteriorComponents; ++component)
    response.of[1][component] = turned[exchanged_component(component)];
  interior_detail::normal_response(p, z, nu, response.of[2]);
  return response;
}

}  // namespace slipfield
