// SPDX-License-Identifier: Apache-2.0
// A solver that refuses, before anything is computed, a step that has a fault.
#pragma once

#include <memory>

#include "solver/contact_solver.h"

namespace slipfield {

// `solver`: of this problem, which has no fault that is senseless (problem_check.h).
std::unique_ptr<ContactSolver> checked_solver(const ContactProblem& problem,
                                              std::unique_ptr<ContactSolver> solver);

// The pull-off of surfaces that adhere: the least normal force of all as they are drawn apart
// (THEORY.md 4.11).

// Solves a step whose normal control is `pull_off`: from the state of the step before the load is
// taken off, and the approach lowered by the step's length again and again, until nothing touches
// any more and the force is no longer the least one so far. Where it was least the search is
// repeated more closely, from the state one length before that, so that the solver ends in the
// state of the least force. The report is that of this state, with all iterations. A try that does
// not converge ends the step.
StepReport advance_to_pull_off(ContactSolver& solver, const StepInput& step);

}  // namespace slipfield
