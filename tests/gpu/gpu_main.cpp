// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gpu_guard.h"
#include "tests/support/doctest_main.h"

int main(int argc, char** argv) {
  namespace test = slipfield::test;
  if (!test::is_query(argc, argv)) {
    if (const int refused = test::gpu_gate(); refused != 0) return refused;
  }
  return test::run_doctest(argc, argv);
}
