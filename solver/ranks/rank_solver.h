// SPDX-License-Identifier: Apache-2.0
// Contact on a grid whose rows are shared out over the ranks of a run.
#pragma once

#include <memory>

#include "solver/contact_solver.h"
#include "solver/problem.h"

namespace slipfield {

// Throws InputError where the problem asks for more than several ranks compute, or for more memory
// than this rank's machine has for all of its ranks. Alone on each rank.
void require_for_ranks(const ContactProblem& problem);

// Every call is made together, but for download(), which gives this rank's rows of the fields. A
// report is the same on all; state() gives the first rank the state that one process has, and each
// rank gives restore() such a one. The problem passed require_for_ranks().
std::unique_ptr<ContactSolver> make_rank_solver(const ContactProblem& problem,
                                                ProgressCallback progress);

}  // namespace slipfield
