// SPDX-License-Identifier: Apache-2.0
// Steady rolling by the simplified theory: a fast estimate next to the half-space solvers
// (THEORY.md 10).
//
// The normal contact is Hertz's, in closed form; normal_force, approach and max_pressure are those
// of the ellipse itself, the fields its values at the element centres. The tractions are those of
// FASTSIM or FaStrip, displacement_x and _y those of the simplified theory, L1 p_x and L2 p_y.
// Pressure does not affect the tangential problem, so unlike bodies are treated as if K were 0.
// Creepages for a prescribed force (FASTSIM only) are found by Newton's method; `residual` is the
// remaining error of the force over mu F_n.
//
// It runs on the CPU. advance() takes 0.1 ms for 44 x 44 elements, of which 35 us for FASTSIM (one
// core of an AMD EPYC). u_n, by elliptic integrals, takes ten times as long and is only computed by
// download().
#pragma once

#include <memory>

#include "solver/contact_solver.h"

namespace slipfield {

// The problem must be faultless (problem_check.h).
std::unique_ptr<ContactSolver> make_simplified_solver(const ContactProblem& problem,
                                                      ProgressCallback progress = {});

}  // namespace slipfield
