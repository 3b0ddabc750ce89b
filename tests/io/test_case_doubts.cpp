// SPDX-License-Identifier: Apache-2.0
// Warnings of what is possible but suspicious, and Hertz's estimate behind them.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/geometry/hertz_estimate.h"
#include "solver/plausibility.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

// a = 1.0000 mm on elements of 0.1 mm: nothing is suspicious. E* = 115385 N/mm2.
const std::string kRollingCase = R"(schema: 1
units: N-mm-s
bodies:
  upper: {young_modulus: 210000.0, poisson_ratio: 0.3}
  lower: {young_modulus: 210000.0, poisson_ratio: 0.3}
friction: {coefficient: 0.3}
grid: {elements: [26, 26], spacing: [0.1, 0.1]}
geometry: {type: sphere, radius: 100}
normal: {force: 1538.46}
tangential: {problem: transient_rolling, x: {creepage: 0.001}, spin: 0.0001}
)";

std::vector<std::string> warnings_of(const std::string& old_text, const std::string& new_text) {
  std::vector<std::string> warnings =
      test::read_text(old_text.empty() ? kRollingCase
                                       : test::edited(kRollingCase, old_text, new_text))
          .warnings;
  for (std::string& warning : warnings) warning.erase(0, warning.find("case.yaml"));
  return warnings;
}

struct Row {
  std::string old_text;
  std::string new_text;
  std::string says;
};

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.new_text);
    const auto warnings = warnings_of(row.old_text, row.new_text);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find(row.says) != std::string::npos);
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("doubts: an ordinary case is without any") { CHECK(warnings_of("", "").empty()); }

  TEST_CASE("doubts: each suspicious number has one warning, at its place") {
    check_rows({
        {"friction: {coefficient: 0.3}", "friction: {coefficient: 30}",
         "case.yaml:6:25: friction.coefficient: 30 is above 1.5"},
        {"creepage: 0.001", "creepage: -0.5",
         "tangential.x.creepage: -0.5 is above 0.1. Is it in percent?"},
        {"spin: 0.0001", "spin: 0.6",
         "tangential.spin: 0.6 rad/mm is beyond 1/length of the contact, 0.5 rad/mm"},
        {"spin: 0.0001", "direction: 1.5708",
         "1.5708 degrees looks like radians. In degrees it is"},
        {"spin: 0.0001", "direction: -0.785", "looks like radians"},
        {"spin: 0.0001", "direction: 3.14159", "looks like radians"},
        {"transient_rolling", "steady_rolling, step: 0.01",
         "tangential.step: steady rolling in steps of 0.01 mm, 0.1 of an element, takes many"},
        {"[26, 26], spacing: [0.1, 0.1]", "[26, 8], spacing: [0.1, 0.33]",
         "grid.elements: about 6.1 elements across the contact in y (Hertz)"},
    });
    const auto pressed = warnings_of("normal: {force: 1538.46}", "normal: {force: 8.0e+6}");
    REQUIRE(pressed.size() == 2);  // and the contact is longer than the grid
    CHECK((pressed[0] + pressed[1])
              .find("normal.force: the greatest pressure, about 1.273e+04 N/mm^2, is 0.11 of") !=
          std::string::npos);
  }

  TEST_CASE("doubts: radians are doubted where they are typed, not where degrees are small") {
    for (const char* degrees : {"0", "1", "2", "5", "90", "45.0", "180"}) {
      CAPTURE(degrees);
      CHECK(warnings_of("spin: 0.0001", std::string("direction: ") + degrees).empty());
    }
  }

  TEST_CASE("doubts: moduli in another unit, in either system, and one rigid body is none") {
    const std::string steel = "upper: {young_modulus: 210000.0";
    const auto soft = warnings_of(steel, "upper: {young_modulus: 0.21");
    REQUIRE_FALSE(soft.empty());
    CHECK(soft[0].find(
              "bodies.upper.young_modulus: a Young's modulus of 0.21 N/mm^2 is below 1 MPa") !=
          std::string::npos);
    CHECK(warnings_of(steel, "upper: {young_modulus: 2.1e+11").empty());
    std::string text = test::edited(kRollingCase, steel, "upper: {young_modulus: 2.1e+11");
    text = test::edited(text, "lower: {young_modulus: 210000.0", "lower: {shear_modulus: 8.2e+10");
    const auto warnings = test::read_text(text).warnings;
    REQUIRE(warnings.size() >= 2);
    CHECK(warnings[0].find("4:26: bodies.upper.young_modulus") != std::string::npos);
    CHECK(warnings[0].find("above 10 TPa. Is it in Pa?") != std::string::npos);
    CHECK(warnings[1].find("5:26: bodies.lower.shear_modulus") != std::string::npos);
  }

  TEST_CASE("doubts: p_max above E*/10 and a contact near the radius are of one wrong length") {
    const auto warnings = warnings_of("radius: 100", "radius: 0.1");
    REQUIRE(warnings.size() == 3);  // and the contact has less than 8 elements
    const std::string all = warnings[0] + warnings[1] + warnings[2];
    CHECK(all.find("geometry: the contact's semi-axis in x, about 0.1 mm (Hertz), is 1 of the "
                   "radius 0.1 mm") != std::string::npos);
    CHECK(all.find("of the contact modulus E*, 1.154e+05") != std::string::npos);
  }

  TEST_CASE("doubts: an approach above the lowest point makes no contact") {
    check_rows(
        {{"normal: {force: 1538.46}", "normal: {approach: -0.01}",
          "normal.approach: -0.01 mm does not reach the lowest point of the geometry, 0 mm"}});
  }

  TEST_CASE("doubts: a contact beyond the grid has both lengths, where an element is missing") {
    const std::string grid = "grid: {elements: [26, 26], spacing: [0.1, 0.1]";
    const auto placed = [&](const char* numbers) {  // the contact is 2.0000 mm long
      return warnings_of(grid, std::string("grid: ") + numbers);
    };
    CHECK(placed("{elements: [20, 26], spacing: [0.1, 0.1]").empty());
    CHECK(placed("{elements: [20, 26], spacing: [0.1, 0.1], origin: [-0.97, -1.3]").empty());
    const auto short_in_x = placed("{elements: [18, 26], spacing: [0.1, 0.1]");
    REQUIRE(short_in_x.size() == 1);
    CHECK(short_in_x[0].find("grid.elements: the contact is about 2 mm long in x (Hertz), and the "
                             "grid covers 1.8 mm of it") != std::string::npos);
    const auto aside = placed("{elements: [26, 26], spacing: [0.1, 0.1], origin: [-1.3, -0.2]");
    REQUIRE(aside.size() == 1);
    CHECK(aside[0].find("2 mm long in y (Hertz), and the grid covers 1.2 mm") != std::string::npos);
    const auto beside = placed("{elements: [26, 26], spacing: [0.1, 0.1], origin: [7, -1.3]");
    REQUIRE(beside.size() == 1);
    CHECK(beside[0].find("the contact, about 2 mm long in x (Hertz), lies beside the grid") !=
          std::string::npos);
  }

  TEST_CASE("doubts: slip of elements that the simplified theory's friction does not see") {
    const std::string rolling =
        "tangential: {problem: transient_rolling, x: {creepage: 0.001}, spin: 0.0001}";
    std::string extra = "0.002";
    for (int i = 1; i < 26 * 26; ++i) extra += i == 5 ? ", -0.004" : ", 0";
    const std::string motion =
        "tangential: {problem: steady_rolling, x: {creepage: 0.001}, "
        "velocity: 1000, extra_y: [" +
        extra + "]}\n";
    const auto warned = [&](const std::string& more) {
      std::vector<std::string> found;
      for (const std::string& w : warnings_of(rolling, motion + more))
        if (w.find("tangential.extra_y: up to 0.004") != std::string::npos) found.push_back(w);
      return found.size();
    };
    CHECK(warned("solver: {tangential: fastsim}") == 0);
    CHECK(warned("solver: {tangential: fastsim, slope: {rest: 0.5, decay: 1}}") == 1);
    CHECK(warned("solver: {tangential: fastsim, slope: {initial: 0.5, decay: 1}}") == 0);
    CHECK(warned("solver: {tangential: fastsim, slope: {rest: 0.5}}") == 0);
    CHECK(warned("solver: {tangential: newton}") == 0);
  }

  TEST_CASE("doubts: a load that grows is judged by its greatest contact, a number by its step") {
    const std::string steps =
        "steps:\n  - {normal: {force: 0.001}}\n  - {normal: {force: 1538.46}}\n"
        "  - {friction: {coefficient: 3}}\n";
    const auto warnings = test::read_text(kRollingCase + steps).warnings;
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("steps.2.friction.coefficient: 3 is above 1.5") != std::string::npos);
  }

  TEST_CASE("doubts: a sweep has one warning of each, with the first point") {
    const std::string sweep =
        "sweep:\n  - {key: friction.coefficient, values: [0.1, 2, 3, 4]}\n"
        "  - {key: tangential.x.creepage, from: 0.01, to: 0.3, points: 30}\n";
    const auto warnings = test::read_text(kRollingCase + sweep).warnings;
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0].find("(first in point 11 of the sweep, friction.coefficient = 0.1, "
                           "tangential.x.creepage = 0.11") != std::string::npos);
    CHECK(warnings[1].find("2 is above 1.5") != std::string::npos);
    CHECK(warnings[1].find("(first in point 31 of the sweep") != std::string::npos);
  }

  TEST_CASE("doubts: solved steps are held against the same limits where Hertz could not tell") {
    ContactProblem problem = test::read_text(kRollingCase).problem;
    const StepInput& step = problem.steps.front();
    StepReport report;
    report.elements_contact = 317;  // pi/4 20^2
    CHECK(doubts_after(problem, step, report).empty());
    report.elements_contact = 1;
    REQUIRE(doubts_after(problem, step, report).size() == 1);
    CHECK(doubts_after(problem, step, report)[0].doubt == Doubt::one_element);
    report.elements_contact = 0;
    REQUIRE(doubts_after(problem, step, report).size() == 1);
    CHECK(doubts_after(problem, step, report)[0].doubt == Doubt::no_contact);
    problem.geometry = {HeightsShape{}};  // no paraboloid
    report.elements_contact = 40;         // 7.1 across
    report.max_pressure = 12000.0;        // 0.104 E*
    report.rotation = 2.0;
    std::vector<Doubt> found;
    for (const Finding& finding : doubts_after(problem, step, report))
      found.push_back(finding.doubt);
    CHECK(found ==
          std::vector<Doubt>{Doubt::few_elements, Doubt::high_pressure, Doubt::large_spin});
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("Hertz's estimate is that of a sphere [Johnson1985, ch. 4], shifted with its summit") {
    const double modulus = 210000.0 / (2.0 * (1.0 - 0.09));  // E*
    ContactProblem problem = test::read_text(kRollingCase).problem;
    const auto sphere = hertz_estimate(problem, problem.steps.front().normal);
    REQUIRE(sphere);
    const double a = std::cbrt(0.75 * 1538.46 * 100.0 / modulus);
    CHECK(sphere->semi_axis_x == doctest::Approx(a).epsilon(1e-12));  // closed form
    CHECK(sphere->semi_axis_y == doctest::Approx(a).epsilon(1e-12));
    CHECK(sphere->approach == doctest::Approx(a * a / 100.0).epsilon(1e-12));
    CHECK(sphere->max_pressure ==
          doctest::Approx(1.5 * 1538.46 / (3.14159265358979 * a * a)).epsilon(1e-12));
    // The same paraboloid about (0.2, -0.1), 0.5 higher, under the approach that gives that force.
    problem.geometry = {QuadraticShape{0.005, 0.0, 0.005, -0.002, 0.001, 0.50025}};
    const auto moved = hertz_estimate(problem, {NormalControl::approach, 0.5 + a * a / 100.0});
    REQUIRE(moved);
    CHECK(moved->centre_x == doctest::Approx(0.2));
    CHECK(moved->centre_y == doctest::Approx(-0.1));
    CHECK(moved->semi_axis_x == doctest::Approx(a).epsilon(1e-9));  // the approach cancels 0.5
    CHECK(moved->approach == doctest::Approx(0.5 + a * a / 100.0));
  }

  TEST_CASE("Hertz's estimate of a cylinder takes the force per length of the grid") {
    ContactProblem problem = test::read_text(kRollingCase).problem;
    problem.geometry = {CylinderShape{100.0, CylinderAxis::y}};
    const auto line = hertz_estimate(problem, {NormalControl::force, 1000.0});
    REQUIRE(line);
    const double modulus = 210000.0 / (2.0 * (1.0 - 0.09));
    const double a = std::sqrt(4.0 * (1000.0 / 2.6) * 100.0 / (3.14159265358979 * modulus));
    CHECK(line->is_line());
    CHECK(line->semi_axis_x == doctest::Approx(a).epsilon(1e-12));  // closed form
    CHECK(line->max_pressure ==
          doctest::Approx(2.0 * (1000.0 / 2.6) / (3.14159265358979 * a)).epsilon(1e-12));
    CHECK_FALSE(hertz_estimate(problem, {NormalControl::approach, 0.01}));
    problem.geometry.push_back(QuadraticShape{0.0, 0.0, 0.0, 0.0, 0.1, 0.0});  // tilted
    CHECK_FALSE(hertz_estimate(problem, {NormalControl::force, 1000.0}));
  }
}

}  // namespace slipfield
