// SPDX-License-Identifier: Apache-2.0
// Converts a contact's derivatives from the units of the case to those of a task, and back
// (solver/batch/batch_task.h).
#pragma once

#include "solver/batch/batch.h"
#include "solver/gradient/small_adjoint.h"
#include "solver/gradient/step_derivatives.h"

namespace slipfield {

// Without the pointers to its fields.
AdjointContact adjoint_contact(const BatchContact& contact, const SmallTask& task,
                               const StepReport& report, double of_tolerance);
AdjointSeed adjoint_seed(const BatchContact& contact, const StepOutputs& seed);
// Without fields. unit: that of the seed.
StepInputs step_inputs(const BatchContact& contact, AdjointResult result, double unit);

}  // namespace slipfield
