// SPDX-License-Identifier: Apache-2.0
// Contact on a grid whose rows are shared among the ranks of a run.
#pragma once

#include <memory>

#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/problem.h"

namespace slipfield {

// The state of all ranks does not fit in the memory of the first rank's machine; nothing else is
// wrong with the run.
class StateTooLarge : public Error {
 public:
  using Error::Error;
};

// Throws InputError if the problem needs more than several ranks support, more elements than MPI's
// calls can count, or more memory than this machine has for all of its ranks, not counting what
// state() gathers. Each rank calls it alone.
void require_for_ranks(const ContactProblem& problem);

// All ranks make every call together, except download(), which returns this rank's rows of the
// fields. If the problem requests surface results, download() is collective too and gives each rank
// all rows, since surfaces are computed from whole fields. Reports are the same on all ranks.
// state() returns the state that one process would have on the first rank (with surfaces on each
// rank), or throws StateTooLarge on all; each rank passes such a state to restore(). The problem
// must have passed require_for_ranks().
std::unique_ptr<ContactSolver> make_rank_solver(const ContactProblem& problem,
                                                ProgressCallback progress);

}  // namespace slipfield
