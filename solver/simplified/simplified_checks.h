// SPDX-License-Identifier: Apache-2.0
// What the simplified theory takes and what it refuses.
#pragma once

#include <string>

#include "solver/check/fault_list.h"

namespace slipfield {

// The problem but for its steps; false where it has a fault. Each part of the problem has none by
// itself.
bool check_simplified(const ContactProblem& problem, FaultList& faults);

// A step of a problem that check_simplified() takes. `at`: which one, shown with the reason.
void check_simplified_step(const ContactProblem& problem, const StepInput& step,
                           const std::string& at, FaultList& faults);

}  // namespace slipfield
