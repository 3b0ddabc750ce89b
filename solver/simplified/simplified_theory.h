// SPDX-License-Identifier: Apache-2.0
// Common to FASTSIM and FaStrip: steady rolling of an elliptical contact whose surfaces are
// displaced only by their own tractions, u_x = L1 p_x and u_y = L2 p_y (THEORY.md 10).
//
// Everything here rolls in +x about the ellipse's centre at (0, 0), by one element per step, on the
// grid of the case. Signs as everywhere: body 1 minus body 2; tractions act on body 1.
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
  double flexibility = 0.0;    // for all creepages; 0: Kalker's three
  double kinetic_share = 1.0;  // of mu, while a particle slips; FASTSIM only
};

struct Creepages {
  double x = 0.0;     // xi
  double y = 0.0;     // eta
  double spin = 0.0;  // phi [1/length]
};

// The spin's contribution to a component of the rigid slip.
inline double spin_in_x(SpinSlip components, double spin) {
  return components == SpinSlip::y ? 0.0 : spin;
}
inline double spin_in_y(SpinSlip components, double spin) {
  return components == SpinSlip::x ? 0.0 : spin;
}

// Additional motion of the elements (THEORY.md 10.4).
struct ElementSlip {
  SpinSlip spin = SpinSlip::both;  // components to which the spin contributes
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
// A given flexibility replaces all three. With a slope reduction all are divided by
//   k = k0 (alpha + (1 - alpha)/(1 + beta eps)),  eps = pi a b G k0 C11 w/(4 mu F_n),
// w^2 = xi^2 + eta^2, or with eta + phi a if that is larger (THEORY.md 10.7).
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
  std::vector<double> traction_bound;  // > 0 inside the ellipse, unless mu = 0
  std::vector<double> slip_x;          // over a step of one element
  std::vector<double> slip_y;
  std::vector<ElementState> state;  // exterior: the element's centre is outside the ellipse
};

// FASTSIM: Kalker's fast algorithm for the simplified theory of rolling contact
// (THEORY.md 10.4).
//
// A particle enters each row of elements at its leading edge without traction. From element to
// element its traction grows by -dx (xi/L1 - phi y/L3, eta/L2 + phi x/L3) and is cut back to the
// bound if it exceeds it; the slip is L times the part cut off. The bound is mu times the
// paraboloid 2 F_n/(pi a b) (1 - (x/a)^2 - (y/b)^2), for which adhesion starts at the leading edge
// and ends once, or mu times Hertz's pressure. The slip of single elements adds to xi and eta. x is
// taken dx/6 ahead of the element's centre, as everywhere in rolling. The error falls as dx, since
// an element at the leading edge counts as a whole one. With a kinetic coefficient below the static
// one a slipping particle carries the kinetic bound until what it would carry without slip is
// within that bound. [Kalker 1982 in the discrete form of CONTACT, m_solvpt.f90 and m_sdis.f90,
// 2023.]
SimplifiedSolution fastsim(const SimplifiedContact& contact, const Creepages& creepages,
                           TractionBound bound, const Grid& grid, const ElementSlip& slip = {});

// The same for a patch of any shape: mu times the pressure, 0 outside, x fastest. For the
// flexibilities the contact's axes are those of an equivalent ellipse.
SimplifiedSolution fastsim(const SimplifiedContact& contact, const Creepages& creepages,
                           const std::vector<double>& pressure, const Grid& grid,
                           const ElementSlip& slip = {});

// FaStrip: FASTSIM where the contact slips, strip theory where it sticks [Sichani, Enblom and Berg
// 2016, in the form of CONTACT's m_solvpt.f90 of 2025] (THEORY.md 10.5).
//
// In the strip at y, of half length s = a sqrt(1 - (y/b)^2), adhesion reaches from the leading edge
// x = s back to x = -s + 2 d, and with q = sqrt(s^2 - x^2), r = sqrt((s - d)^2 - (x - d)^2)
//     p_x = mu p0/a kappa (q - r),  p_y = mu p0/a (lambda q - (lambda - phi') r),
//     d = a/(1 - nu) (eta'^2 + w^2) / (sqrt(eta'^2 + (1 - phi'^2) w^2) - eta' phi'),
//     (kappa, lambda) = (w, eta' + phi' d/a) as a unit vector,  w = xi' - phi' y/a,
//     xi' = -2 (1 - nu) G C11 xi/(pi^2 mu p0), eta' likewise with C22,
//     phi' = -3 G sqrt(a b) C23 phi/(2 pi mu p0).
// This gives Kalker's linear forces for small creepages. Elsewhere, and in a strip without a d, the
// traction is mu times Hertz's pressure in the direction of FASTSIM's traction with the elliptic
// bound. The slip there is FASTSIM's: 0 in an element that sticks in FASTSIM only.
//
// Unlike CONTACT, which takes s from the elements of the row and a, b from their number, the strips
// here are those of the ellipse. CONTACT's choice would reproduce its digits, but tractions would
// exceed the bound by up to 0.15 mu p0 at the leading edge; this choice avoids that, and both tend
// to the same limit.
SimplifiedSolution fastrip(const SimplifiedContact& contact, const Creepages& creepages,
                           const Grid& grid, SpinSlip spin = SpinSlip::both);

// The same for a patch of any shape with a pressure, 0 outside, x fastest. a, b and p0 are those of
// an equivalent ellipse, as in CONTACT. Strips are the rows from their first to their last element,
// with x from their middle; adhesive tractions are limited to mu times the pressure.
SimplifiedSolution fastrip(const SimplifiedContact& contact, const Creepages& creepages,
                           const std::vector<double>& pressure, const Grid& grid,
                           SpinSlip spin = SpinSlip::both);

}  // namespace slipfield
