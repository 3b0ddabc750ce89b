// SPDX-License-Identifier: Apache-2.0
// Contact on a grid whose rows are shared out over the ranks of a run.
#pragma once

#include <memory>

#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/problem.h"

namespace slipfield {

// The state of all ranks does not fit into the memory of the first one's machine; nothing else is
// wrong with the run.
class StateTooLarge : public Error {
 public:
  using Error::Error;
};

// Throws InputError where the problem asks for more than several ranks compute, for more elements
// than MPI's calls count, or for more memory than this rank's machine has for all of its ranks, not
// counting what state() gathers. Alone on each rank.
void require_for_ranks(const ContactProblem& problem);

// All ranks make every call together, except download(), which gives this rank's rows of the
// fields. Where the problem asks for its surfaces, download() is also made together and gives each
// rank all rows: surfaces are computed from whole fields. A report is the same on all ranks;
// state() gives the first rank (with surfaces each rank) the state that one process has, or throws
// StateTooLarge on all, and each rank gives restore() such a state. The problem passed
// require_for_ranks().
std::unique_ptr<ContactSolver> make_rank_solver(const ContactProblem& problem,
                                                ProgressCallback progress);

}  // namespace slipfield
