// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle_interior.h"

#include <array>
#include <cmath>
#include <numbers>

#include "tests/support/oracle_halfspace.h"

namespace slipfield::test {
namespace {

constexpr double kPi = std::numbers::pi;

// A number with its derivatives by x, y, z.
struct Dual {
  double value = 0.0;
  std::array<double, 3> slope{};
};
Dual constant(double value) { return {value, {}}; }
Dual operator+(Dual a, const Dual& b) {
  a.value += b.value;
  for (std::size_t i = 0; i < 3; ++i) a.slope[i] += b.slope[i];
  return a;
}
Dual operator*(const Dual& a, const Dual& b) {
  Dual product{a.value * b.value, {}};
  for (std::size_t i = 0; i < 3; ++i)
    product.slope[i] = a.slope[i] * b.value + a.value * b.slope[i];
  return product;
}
Dual operator*(double a, const Dual& b) { return constant(a) * b; }
Dual operator-(const Dual& a, const Dual& b) { return a + (-1.0) * b; }
Dual power(const Dual& a, double exponent) {
  Dual result{std::pow(a.value, exponent), {}};
  for (std::size_t i = 0; i < 3; ++i)
    result.slope[i] = exponent * std::pow(a.value, exponent - 1.0) * a.slope[i];
  return result;
}

using Displacement = std::array<Dual, 3>;

// 4 pi G u of a load of 1 along x.
Displacement cerruti(const Dual& x, const Dual& y, const Dual& z, double rest) {
  const Dual rho = power(x * x + y * y + z * z, 0.5);
  const Dual deep = power(rho + z, -1.0);
  const Dual one = power(rho, -1.0);
  const Dual cube = power(rho, -3.0);
  return {one + x * x * cube + rest * (deep - x * x * one * deep * deep),
          x * y * cube - rest * (x * y * one * deep * deep),
          x * z * cube + rest * (x * one * deep)};
}

// 4 pi G u of a load of 1 along z.
Displacement boussinesq(const Dual& x, const Dual& y, const Dual& z, double rest) {
  const Dual rho = power(x * x + y * y + z * z, 0.5);
  const Dual deep = power(rho + z, -1.0);
  const Dual one = power(rho, -1.0);
  const Dual cube = power(rho, -3.0);
  return {x * z * cube - rest * (x * one * deep), y * z * cube - rest * (y * one * deep),
          z * z * cube + (1.0 + rest) * one};
}

// Stresses of 4 pi G u, and u, both for G = 1. Of these loads 4 pi G div u = 2 rest times the slope
// of 1/rho along the load, which Hooke's law needs at nu = .5, where lambda div u is 0/0.
void fill(const Displacement& u, double nu, const Dual& over_rho, int axis,
          double (&of)[kInteriorComponents]) {
  const double rest = 1.0 - 2.0 * nu;
  const double pressure =  // lambda div u
      nu == 0.5 ? 4.0 * nu * over_rho.slope[static_cast<std::size_t>(axis)]
                : 2.0 * nu / rest * (u[0].slope[0] + u[1].slope[1] + u[2].slope[2]);
  const double scale = 1.0 / (4.0 * kPi);
  for (std::size_t i = 0; i < 3; ++i) of[i] = scale * (pressure + 2.0 * u[i].slope[i]);
  of[3] = scale * (u[0].slope[1] + u[1].slope[0]);
  of[4] = scale * (u[0].slope[2] + u[2].slope[0]);
  of[5] = scale * (u[1].slope[2] + u[2].slope[1]);
  for (std::size_t i = 0; i < 3; ++i) of[6 + i] = scale * u[i].value;
}

}  // namespace

InteriorResponse point_response(double x, double y, double z, double nu) {
  const Dual dx{x, {1.0, 0.0, 0.0}};
  const Dual dy{y, {0.0, 1.0, 0.0}};
  const Dual dz{z, {0.0, 0.0, 1.0}};
  const double rest = 1.0 - 2.0 * nu;
  const Dual over_rho = power(dx * dx + dy * dy + dz * dz, -0.5);
  InteriorResponse response{};
  fill(cerruti(dx, dy, dz, rest), nu, over_rho, 0, response.of[0]);
  const Displacement turned = cerruti(dy, dx, dz, rest);  // the axes exchanged
  fill({turned[1], turned[0], turned[2]}, nu, over_rho, 1, response.of[1]);
  fill(boussinesq(dx, dy, dz, rest), nu, over_rho, 2, response.of[2]);
  return response;
}

InteriorResponse integrated_response(double x, double y, double z, double dx, double dy,
                                     double nu) {
  static const GaussRule rule = gauss_rule(60);
  InteriorResponse sum{};
  for (std::size_t i = 0; i < rule.node.size(); ++i) {
    for (std::size_t j = 0; j < rule.node.size(); ++j) {
      const double weight = 0.25 * dx * dy * rule.weight[i] * rule.weight[j];
      const InteriorResponse point =
          point_response(x - 0.5 * dx * rule.node[i], y - 0.5 * dy * rule.node[j], z, nu);
      for (int load = 0; load < kLoads; ++load)
        for (int c = 0; c < kInteriorComponents; ++c) sum.of[load][c] += weight * point.of[load][c];
    }
  }
  return sum;
}

}  // namespace slipfield::test
