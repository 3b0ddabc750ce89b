// SPDX-License-Identifier: Apache-2.0
// Keys of rolling in a case file: the scheme, and the estimate of its error.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/oracle_contact.h"
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

TEST_SUITE("oracle") {
  TEST_CASE("memory of friction: it ends where the static coefficient falls along the rolling") {
    for (const char* const statics : {"[0.3, 0.31]", "[0.31, 0.3]"}) {
      CAPTURE(statics);
      const ContactProblem problem =
          read_text(std::string("schema: 1\nunits: N-mm-s\nbodies:\n"
                                "  upper: {shear_modulus: 1000, poisson_ratio: 0.28}\n"
                                "  lower: {shear_modulus: 1000, poisson_ratio: 0.28}\n"
                                "friction: {law: exponential, y: [-1, 1], static: ") +
                    statics +
                    ", kinetic: 0.2, half_velocity: 5, memory_distance: 0.0005}\n"
                    "grid: {elements: [16, 16], extent: {x: [-1.3, 1.3], y: [-1.3, 1.3]}}\n"
                    "geometry: {type: sphere, radius: 50}\nnormal: {force: 20}\n"
                    "tangential: {problem: steady_rolling, x: {creepage: 4.0e-4}, y: {creepage: "
                    "-2.0e-4}, spin: 3.0e-4, velocity: 1000, direction: 90}\n")
              .problem;
      const test::Solved found = test::solve(problem);
      CHECK(found.report.outcome == Outcome::converged);
      // No element carries more than its own static coefficient.
      const bool rises = std::string(statics) == "[0.3, 0.31]";
      for (std::size_t i = 0; i < problem.grid.count(); ++i) {
        const double y = problem.grid.y(static_cast<int>(i) / problem.grid.mx);
        const double along = std::clamp(0.5 * (rises ? 1.0 + y : 1.0 - y), 0.0, 1.0);
        CHECK(std::hypot(found.fields.traction_x[i], found.fields.traction_y[i]) <=
              (0.3 + 0.01 * along) * found.fields.pressure[i] * (1.0 + 1e-6));
      }
    }
  }
}

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
