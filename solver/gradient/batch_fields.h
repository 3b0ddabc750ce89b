// SPDX-License-Identifier: Apache-2.0
// Converts a batch's result for a small contact to the fields that StepDerivatives needs.
#pragma once

#include "solver/batch/batch.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// problem: accepted by add_to_batch(); fields, report: its solution. The normal displacement is
// computed from the pressure by a product, on one thread; tangential displacements, which
// derivatives of steady rolling do not need, are 0.
ContactSolution solution_of_batch(const ContactProblem& problem, const BatchFields& fields,
                                  const StepReport& report);

}  // namespace slipfield
