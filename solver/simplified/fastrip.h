// SPDX-License-Identifier: Apache-2.0
// FaStrip: FASTSIM where the contact slips, strip theory where it sticks [Sichani, Enblom and Berg
// 2016, in the form of CONTACT's m_solvpt.f90 of 2025] (THEORY.md 10.5).
//
// In the strip at y, of half length s = a sqrt(1 - (y/b)^2), adhesion reaches from the leading edge
// x = s back to x = -s + 2 d, and with q = sqrt(s^2 - x^2), r = sqrt((s - d)^2 - (x - d)^2)
//     p_x = mu p0/a kappa (q - r),  p_y = mu p0/a (lambda q - (lambda - phi') r),
//     d = a/(1 - nu) (eta'^2 + w^2) / (sqrt(eta'^2 + (1 - phi'^2) w^2) - eta' phi'),
//     (kappa, lambda) = (w, eta' + phi' d/a) as a unit vector,  w = xi' - phi' y/a,
//     xi' = -2 (1 - nu) G C11 xi/(pi^2 mu p0), eta' likewise with C22,
//     phi' = -3 G sqrt(a b) C23 phi/(2 pi mu p0):
// Kalker's linear forces for small creepages. Elsewhere, and all over a strip that has no d, the
// traction is Hertz's pressure times mu in the direction of FASTSIM's with the elliptic bound. The
// slip is FASTSIM's there: 0 in an element that sticks by FASTSIM alone.
//
// Unlike CONTACT, which takes s from the elements of the row and a, b from their count, the strips
// here are the ellipse's own. With CONTACT's choice this reproduces its digits, but tractions
// exceed the bound by up to 0.15 mu p0 at the leading edge; with this they do not, and both tend to
// the same limit.
#pragma once

#include "solver/simplified/simplified_theory.h"

namespace slipfield {

SimplifiedSolution fastrip(const SimplifiedContact& contact, const Creepages& creepages,
                           const Grid& grid, SpinSlip spin = SpinSlip::both);

// The same within a patch of any shape with a pressure, 0 outside, x fastest: a, b and p0 are those
// of an ellipse that stands for it, as CONTACT has them. Strips are the rows from their first to
// their last element, x from their middles; adhesive tractions are cut back to mu times the
// pressure.
SimplifiedSolution fastrip(const SimplifiedContact& contact, const Creepages& creepages,
                           const std::vector<double>& pressure, const Grid& grid,
                           SpinSlip spin = SpinSlip::both);

}  // namespace slipfield
