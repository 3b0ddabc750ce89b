// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include "solver/cpu/host_memory.h"
#include "solver/memory_estimate.h"
#include "tests/support/both_backends.h"
#include "tests/support/doctest_main.h"

std::unique_ptr<slipfield::ContactSolver> slipfield::test::make_solver_under_test(
    const ContactProblem& problem) {
  return make_cpu_solver(problem);
}

std::vector<slipfield::AdjointSolution> slipfield::test::solve_adjoints_under_test(
    const AdjointBatch& batch, const AdjointOptions& options) {
  return solve_adjoints_on_cpu(batch, options);
}

bool slipfield::test::counts_memory() {
#if defined(__SANITIZE_ADDRESS__)
  return false;
#elif defined(__has_feature)
  return !__has_feature(address_sanitizer);  // clang
#else
  return true;
#endif
}

std::size_t slipfield::test::bytes_in_use() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd + zero_pages_in_use();
}

double slipfield::test::most_said_of_used() { return 4.0; }

std::size_t slipfield::test::bytes_said(const ContactProblem& problem) {
  return estimated_bytes(problem);
}

int main(int argc, char** argv) { return slipfield::test::run_doctest(argc, argv); }
