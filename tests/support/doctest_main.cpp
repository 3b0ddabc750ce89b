// SPDX-License-Identifier: Apache-2.0
#include "tests/support/doctest_main.h"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace slipfield::test {
namespace {

unsigned tests_selected = 0;  // by the last run's filters

struct SelectionCounter : doctest::IReporter {
  explicit SelectionCounter(const doctest::ContextOptions& /*options*/) {}
  void report_query(const doctest::QueryData& /*data*/) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    tests_selected = stats.numTestCasesPassingFilters;
  }
  void test_case_start(const doctest::TestCaseData& /*data*/) override {}
  void test_case_reenter(const doctest::TestCaseData& /*data*/) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& /*stats*/) override {}
  void test_case_exception(const doctest::TestCaseException& /*exception*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*signature*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*data*/) override {}
  void log_message(const doctest::MessageData& /*message*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*data*/) override {}
};
REGISTER_LISTENER("selection_counter", 1, SelectionCounter);

}  // namespace

bool is_query(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    argument.remove_prefix(std::min(argument.find_first_not_of('-'), argument.size()));
    if (argument.starts_with("dt-")) argument.remove_prefix(3);
    for (const std::string_view query :
         {"list-", "lt", "lr", "count", "help", "version", "no-run"}) {
      if (argument.starts_with(query)) return true;
    }
    for (const std::string_view query : {"c", "h", "?", "v", "nr"}) {
      if (argument == query) return true;
    }
  }
  return false;
}

int run_doctest(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int result = context.run();
  if (!is_query(argc, argv) && tests_selected == 0) {
    std::fputs("no test matches the filters, which counts as a failure\n", stderr);
    return EXIT_FAILURE;
  }
  return result;
}

}  // namespace slipfield::test
