#include "tests/doctest_main.h"

int main(int argc, char** argv) { return slipfield::test::run_doctest(argc, argv); }
