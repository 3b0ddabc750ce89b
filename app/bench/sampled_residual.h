// SPDX-License-Identifier: Apache-2.0
// How far a step's fields are from solving its contact problem, by direct summation of influence
// coefficients at a sample of the elements: none of the solver's products enters.
#pragma once

#include <vector>

#include "solver/contact_solver.h"

namespace slipfield {

// The residual as StepReport::residual defines it (THEORY.md 9.4, 9.5), its parts summed over the
// sample: the greater one of
//   |p_n - max(0, p_n - e/A_nn(0))| over |p_n|  and
//   |p_t - (p_t - s/A_xx(0) on its disc)| over |mu p_n|,
// root mean squares, and how far a moment prescribed is missed. mu by its law at the slip summed; a
// layer that yields without hardening bounds p_t too. To second order the slip is that of the
// fields, so that only its law is checked. `before`: the fields of the steps before, all by `step`.
// For grids that are not periodic, steps not longer than an element, and friction that is the same
// everywhere.
double sampled_residual(const ContactProblem& problem, const StepInput& step,
                        const std::vector<ContactSolution>& before, const ContactSolution& now,
                        const StepReport& report);

}  // namespace slipfield
