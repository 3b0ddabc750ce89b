#include "gpu/cuda_backend.h"
#include "tests/both_backends.h"

std::unique_ptr<slipfield::ContactSolver> slipfield::test::make_solver_under_test(
    const ContactProblem& problem) {
  return make_cuda_solver(problem);
}
