// SPDX-License-Identifier: Apache-2.0
// A solver that refuses, before anything is computed, a step that has a fault.
#pragma once

#include <memory>

#include "solver/contact_solver.h"

namespace slipfield {

// `solver`: of this problem, which has no fault that is senseless (problem_check.h).
std::unique_ptr<ContactSolver> checked_solver(const ContactProblem& problem,
                                              std::unique_ptr<ContactSolver> solver);

}  // namespace slipfield
