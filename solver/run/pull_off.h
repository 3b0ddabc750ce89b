// SPDX-License-Identifier: Apache-2.0
// The pull-off of surfaces that adhere: the least normal force of all as they are drawn apart
// (THEORY.md 4.11).
#pragma once

#include "solver/contact_solver.h"

namespace slipfield {

// Solves a step whose normal control is `pull_off`: from the state of the step before the load is
// taken off, and the approach lowered by the step's length again and again, until nothing touches
// any more and the force is no longer the least one so far. Where it was least the search is repeated
// more closely, from the state one length before that, so that the solver ends in the state of the least
// force. The report is that of this state, with all iterations. A try that does not converge ends
// the step.
StepReport advance_to_pull_off(ContactSolver& solver, const StepInput& step);

}  // namespace slipfield
