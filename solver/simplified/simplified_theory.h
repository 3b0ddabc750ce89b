// SPDX-License-Identifier: Apache-2.0
// What FASTSIM and FaStrip share: steady rolling of an elliptical contact in which the surfaces
// move, u_x = L1 p_x and u_y = L2 p_y, by their own tractions only (THEORY.md 10).
//
// Everything here rolls in +x, about the ellipse's centre at (0, 0), over one element per step, on
// the grid of the case. Signs as everywhere: body 1 minus body 2, tractions act on body 1.
#pragma once

#include <vector>

#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/simplified/kalker_coefficients.h"
#include "solver/solution.h"

namespace slipfield {

struct SimplifiedContact {
  double semi_axis_x = 0.0;  // a, in the rolling direction
  double semi_axis_y = 0.0;  // b
  double normal_force = 0.0;
  double friction = 0.0;       // mu
  double shear_modulus = 0.0;  // combined
  double poisson_ratio = 0.0;  // combined
  SlopeReduction slope = {};
  double flexibility = 0.0;    // of all creepages; 0: Kalker's three
  double kinetic_share = 1.0;  // of mu, where a particle slips; FASTSIM alone
};

struct Creepages {
  double x = 0.0;     // xi
  double y = 0.0;     // eta
  double spin = 0.0;  // phi [1/length]
};

// The spin in a component of the rigid slip, 0 where it has no part in it.
inline double spin_in_x(SpinSlip components, double spin) {
  return components == SpinSlip::y ? 0.0 : spin;
}
inline double spin_in_y(SpinSlip components, double spin) {
  return components == SpinSlip::x ? 0.0 : spin;
}

// What else moves the elements (THEORY.md 10.4).
struct ElementSlip {
  SpinSlip spin = SpinSlip::both;  // the components that the spin has a part in
  // Rigid slip of each element over a step, x fastest; empty: none.
  std::vector<double> x = {};
  std::vector<double> y = {};
};

// Displacement per traction [length^3/force] for each of the creepages.
struct Flexibilities {
  double x = 0.0;     // L1
  double y = 0.0;     // L2
  double spin = 0.0;  // L3
};

// Displacement per traction for each creepage (THEORY.md 10.3):
//   L1 = 8 a/(3 C11 G), L2 = 8 a/(3 C22 G), L3 = pi a sqrt(a/b)/(4 C23 G)
// give Kalker's linear forces where nothing slips. Sliding wants one L, else the tractions do not
// oppose the slip: as sqrt((xi^2 + eta^2)/(xi_c^2 + eta_c^2)) goes from 0 to 3, the three tend to
//   (xi^2 + eta^2 + r^2)/(xi^2/L1 + eta^2/L2 + r^2/L3),  r = 3 pi a phi/32;
// xi_c = mu F_n/(a b G C11) and eta_c likewise are where the linear force reaches friction.
// [CONTACT 2023, m_hertz.f90; the weight without spin is what the flexibilities that its revision
// 2681 of 2025 prints agree with.]
//
// A flexibility given takes the place of the three. With a slope reduction all are divided by
//   k = k0 (alpha + (1 - alpha)/(1 + beta eps)),  eps = pi a b G k0 C11 w/(4 mu F_n),
// w^2 = xi^2 + eta^2, or with eta + phi a where that is larger (THEORY.md 10.7).
Flexibilities flexibilities(const SimplifiedContact& contact, const KalkerCoefficients& kalker,
                            const Creepages& creepages);

// Fields over the grid, x fastest.
struct SimplifiedSolution {
  explicit SimplifiedSolution(std::size_t count)
      : traction_x(count),
        traction_y(count),
        traction_bound(count),
        slip_x(count),
        slip_y(count),
        state(count) {}

  Flexibilities flexibilities;
  std::vector<double> traction_x;
  std::vector<double> traction_y;
  std::vector<double> traction_bound;  // > 0 inside of the ellipse, unless mu = 0
  std::vector<double> slip_x;          // over a step of one element
  std::vector<double> slip_y;
  std::vector<ElementState> state;  // exterior: the element's centre lies outside of the ellipse
};

}  // namespace slipfield
