// SPDX-License-Identifier: Apache-2.0
// Tests of both_*.cpp are in both test programs: on the CPU in slipfield_tests, on the GPU in
// slipfield_gpu_tests.
#pragma once

#include <memory>
#include <vector>

#include "solver/gradient/batch_adjoint.h"
#include "tests/support/oracle_contact.h"

namespace slipfield::test {

// A solver of the test program's backend.
std::unique_ptr<ContactSolver> make_solver_under_test(const ContactProblem& problem);

// Derivatives of contacts of a batch by the test program's backend.
std::vector<AdjointSolution> solve_adjoints_under_test(const AdjointBatch& batch,
                                                       const AdjointOptions& options);

// Bytes that the backend has in use in this process, of host or of device memory. The allocator of
// the address sanitizer counts none.
bool counts_memory();
std::size_t bytes_in_use();
// The estimate of the most bytes that a run uses.
std::size_t bytes_said(const ContactProblem& problem);
// The greatest accepted ratio of estimated to used bytes on grids of 100 elements and more. A GPU
// holds less than the dry run of the CPU counts: spectra by quarters, and vectors of mixing as they
// are first used.
double most_said_of_used();

inline Solved solve_under_test(const ContactProblem& problem) {
  return solve(problem, *make_solver_under_test(problem));
}

}  // namespace slipfield::test
