// SPDX-License-Identifier: Apache-2.0
// The geometry and the approach that the simplified theory takes; what else it goes together with is
// in solver/combinations.h.
#pragma once

#include <string>

#include "solver/check/fault_list.h"

namespace slipfield {

// Each part of the problem has no fault by itself. Of the steps the first that is not taken.
void check_simplified(const ContactProblem& problem, FaultList& faults);

// `at`: which step, shown with the reason.
void check_simplified_step(const ContactProblem& problem, const StepInput& step,
                           const std::string& at, FaultList& faults);

}  // namespace slipfield
