// SPDX-License-Identifier: Apache-2.0
// Keys of rolling in a case file: the scheme, and the estimate of its error.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::messages_of;
using test::read_text;

// The plain case in steady rolling, with more lines of `tangential`.
std::string steady(const std::string& lines) {
  return edited(kPlainCase, "shift\n  x: {force_ratio: -0.875}\n  y: {shift: 0.001}\n",
                "steady_rolling\n" + lines);
}

void check_only(const std::string& text, const std::string& expected) {
  const std::vector<std::string> messages = messages_of(text);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0] == "case.yaml:" + expected);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("messages: the second-order scheme, and estimates of the error") {
    const std::string second = "solver: {rolling: second_order}\n";
    CHECK(read_text(steady("") + second).problem.solver.rolling == RollingScheme::second_order);
    check_only(
        steady("") + "solver: {rolling: second}\n",
        "16:19: solver.rolling: 'second' is not known; did you mean 'second_order'? accepted: "
        "first_order, second_order");
    check_only(kPlainCase + second,
               "18:19: solver.rolling: only rolling has second_order; accepted: first_order, or "
               "tangential.problem: steady_rolling");
    check_only(steady("  direction: 30\n") + second,
               "16:14: tangential.direction: second_order rolls along x or y, and 30 degrees is "
               "between them; accepted: a direction along x or y, or solver.rolling: first_order");
    check_only(steady("  step: 0.1\n") + second,
               "16:9: tangential.step: second_order takes steps of one element, and 0.1 is not "
               "0.125; accepted: 0.125 (the default), or solver.rolling: first_order");
    check_only(edited(steady(""), "[19, 17]", "[3, 17]") + second,
               "16:19: solver.rolling: second_order needs 4 elements or more along the rolling "
               "direction; the grid has 3; accepted: first_order, or more elements");
    check_only(
        steady("") + "solver: {rolling: second_order, tangential: fastsim}\n",
        "16:19: solver.rolling: the simplified theory has no second_order; accepted: first_order, "
        "or another tangential method");
    const std::string estimate = "output: {error_estimate: true}\n";
    CHECK(read_text(steady("") + estimate).problem.error_estimate);
    CHECK_FALSE(read_text(steady("")).problem.error_estimate);
    check_only(kPlainCase + estimate,
               "18:26: output.error_estimate: only steady rolling has one; accepted: false, or "
               "tangential.problem: steady_rolling");
  }
}

}  // namespace slipfield
