// SPDX-License-Identifier: Apache-2.0
// FASTSIM: Kalker's fast algorithm for the simplified theory of rolling contact
// (THEORY.md 10.4).
//
// A particle enters each row of elements at its leading edge without traction, and from element to
// element its traction grows by -dx (xi/L1 - phi y/L3, eta/L2 + phi x/L3), cut back to the bound
// where it exceeds it; the slip is L times what was cut off. The bound is mu times the paraboloid
// 2 F_n/(pi a b) (1 - (x/a)^2 - (y/b)^2), which lets adhesion begin at the leading edge and end
// once, or mu times Hertz's pressure. The slip of single elements adds to xi and eta. x is taken
// dx/6 ahead of the element's centre, as in all rolling here. The error falls as dx: an element at
// the leading edge counts as a whole one. With a kinetic coefficient below the static one a particle
// that slips carries the kinetic bound, until what it would carry without slip is within that.
// [Kalker 1982 in the discrete form of CONTACT, m_solvpt.f90 and m_sdis.f90, 2023.]
#pragma once

#include "solver/simplified/simplified_theory.h"

namespace slipfield {

SimplifiedSolution fastsim(const SimplifiedContact& contact, const Creepages& creepages,
                           TractionBound bound, const Grid& grid, const ElementSlip& slip = {});

// The same within a patch of any shape: mu times the pressure, 0 outside, x fastest. The axes of
// the contact are those of an ellipse that stands for the patch in the flexibilities.
SimplifiedSolution fastsim(const SimplifiedContact& contact, const Creepages& creepages,
                           const std::vector<double>& pressure, const Grid& grid,
                           const ElementSlip& slip = {});

}  // namespace slipfield
