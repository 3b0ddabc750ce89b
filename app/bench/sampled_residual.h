// SPDX-License-Identifier: Apache-2.0
// How well a step's fields solve its contact problem, by direct summation of influence coefficients
// at a sample of the elements, independent of all products of the solver.
#pragma once

#include <vector>

#include "solver/contact_solver.h"

namespace slipfield {

// The residual as StepReport::residual defines it (THEORY.md 9.4, 9.5), summed over the sample: the
// greater of
//   |p_n - max(0, p_n - e/A_nn(0))| over |p_n|  and
//   |p_t - (p_t - s/A_xx(0) on its disc)| over |mu p_n|,
// root mean squares, and the relative error of a prescribed moment. mu follows its law at the
// summed slip; a layer that yields without hardening bounds p_t as well. To second order the slip
// is read from the fields, so that only the friction law is checked. `before`: the fields of all
// earlier steps, oldest first; every step is made by `step`. For grids that are not periodic, steps
// not longer than an element, uniform friction, and one shift of viscoelastic bodies, from rest.
double sampled_residual(const ContactProblem& problem, const StepInput& step,
                        const std::vector<ContactSolution>& before, const ContactSolution& now,
                        const StepReport& report);

}  // namespace slipfield
