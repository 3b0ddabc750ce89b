// SPDX-License-Identifier: Apache-2.0
// The main of a doctest executable that cannot pass by testing nothing: a filter that matches no
// test (a misspelt name, a name that ctest could not hand over) is a failure; doctest alone would
// call it success. doctest_main.cpp, which all programs share, holds doctest's own code.
#pragma once

namespace slipfield::test {

// Whether doctest is asked to list or count instead of to test: --list-test-cases, -ltc, --count,
// ...
bool is_query(int argc, char** argv);

int run_doctest(int argc, char** argv);

}  // namespace slipfield::test
