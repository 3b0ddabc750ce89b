#include "tests/both_backends.h"
#include "tests/doctest_main.h"

std::unique_ptr<slipfield::ContactSolver> slipfield::test::make_solver_under_test(
    const ContactProblem& problem) {
  return make_cpu_solver(problem);
}

int main(int argc, char** argv) { return slipfield::test::run_doctest(argc, argv); }
