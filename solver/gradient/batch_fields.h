// SPDX-License-Identifier: Apache-2.0
// From what a batch finds of a small contact to the fields that StepDerivatives takes.
#pragma once

#include "solver/batch/batch.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// problem: one that add_to_batch() took; fields, report: its solution. The normal
// displacement follows from the pressure by a product, on one thread; displacements along the
// surface, which derivatives of steady rolling do not need, are 0.
ContactSolution solution_of_batch(const ContactProblem& problem, const BatchFields& fields,
                                  const StepReport& report);

}  // namespace slipfield
