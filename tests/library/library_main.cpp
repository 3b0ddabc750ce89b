// SPDX-License-Identifier: Apache-2.0
#include "tests/support/doctest_main.h"

int main(int argc, char** argv) { return slipfield::test::run_doctest(argc, argv); }
