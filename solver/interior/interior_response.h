// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements inside a half-space under a uniformly loaded rectangle (THEORY.md
// 12.1): those of Boussinesq and Cerruti's point loads, integrated in closed form.
//
// The half-space is z >= 0, z the depth; loads act on it: x, y along the surface, n into it.
// Stresses are positive in tension [force/length^2] and per unit load, so that at the surface
// under the load sigma_zz = -n, sigma_xz = -x, sigma_yz = -y. Displacements are times the shear
// modulus: [length] per unit load.
#pragma once

#include "solver/host_device.h"
#include "solver/interior/rectangle_potentials.h"

namespace slipfield {

enum class InteriorComponent { xx, yy, zz, xy, xz, yz, x, y, z };  // the last three: displacement
inline constexpr int kStressComponents = 6;
inline constexpr int kInteriorComponents = 9;
inline constexpr int kLoads = 3;  // x, y, n

struct InteriorResponse {
  double of[kLoads][kInteriorComponents];
};

// How a component by a load changes its sign where x (or y) does.
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

// The response to a load along x; with exchanged axes, also to one along y.
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

// At (x, y) from the centre of a rectangle dx * dy, at the depth z >= 0; nu: Poisson's ratio.
SLIPFIELD_HD inline InteriorResponse interior_response(double x, double y, double z, double dx,
                                                       double dy, double nu) {
  const RectanglePotentials p = rectangle_potentials(x, y, z, dx, dy);
  InteriorResponse response{};
  interior_detail::tangential_response(p, z, nu, response.of[0]);
  double turned[kInteriorComponents] = {};
  interior_detail::tangential_response(p.exchanged(), z, nu, turned);
  constexpr int kExchanged[kInteriorComponents] = {1, 0, 2, 3, 5, 4, 7, 6, 8};
  for (int component = 0; component < kInteriorComponents; ++component)
    response.of[1][component] = turned[kExchanged[component]];
  interior_detail::normal_response(p, z, nu, response.of[2]);
  return response;
}

}  // namespace slipfield
