// SPDX-License-Identifier: Apache-2.0
// A solver that refuses a faulty step before anything is computed.
#pragma once

#include <memory>

#include "solver/adhesion.h"
#include "solver/contact_solver.h"

namespace slipfield {

// solver: of this problem, which must have no senseless fault (problem_check.h).
std::unique_ptr<ContactSolver> checked_solver(const ContactProblem& problem,
                                              std::unique_ptr<ContactSolver> solver);

// The pull-off of adhering surfaces: the least normal force while they are drawn apart (THEORY.md
// 4.11).

// Solves a step with normal control `pull_off`. Starting from the state of the step before, it
// removes the load and lowers the approach by the step's length again and again, until nothing
// touches any more and the force is no longer the least so far. Where a periodic surface touches
// everywhere, the approach stays whatever the force: there it first pulls as far as that holds. It
// then searches again more closely near the least force, starting one length before it, so that the
// solver ends in the state of the least force. The report is that of this state, with all
// iterations counted. A try that does not converge ends the step. A length above the way from the
// state without a load to separation, or above the range of the adhesive stress if that is greater,
// is refused: it would step over jumps.
StepReport advance_to_pull_off(ContactSolver& solver, const StepInput& step,
                               const Adhesion& adhesion, Boundary boundary);

}  // namespace slipfield
