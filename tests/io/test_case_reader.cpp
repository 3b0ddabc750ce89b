// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <variant>

#include "io/case/reader.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::read_text;

// The steps of a case in short: "0.4 F9 shift ratio-0.875 rigid0.001 0 x1".
std::string describe_step(const StepInput& step) {
  const auto number = [](double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  };
  const auto load = [&](const TangentialLoad& tangential) {
    const char* kinds[] = {"rigid", "force", "ratio"};
    return kinds[static_cast<int>(tangential.control)] + number(tangential.value);
  };
  return number(step.friction.coefficient) +
         (step.normal.control == NormalControl::force ? " F" : " d") + number(step.normal.value) +
         (step.tangential.problem == TangentialProblem::shift ? " shift " : " none ") +
         load(step.tangential.x) + " " + load(step.tangential.y) + " " +
         number(step.tangential.rotation) + " x" + std::to_string(step.repeat);
}

void check_round_trip(const CaseFile& first) {
  const CaseFile second = read_text(first.resolved_yaml);
  CHECK(second.resolved_yaml == first.resolved_yaml);
  const ContactProblem& a = first.problem;
  const ContactProblem& b = second.problem;
  CHECK(a.title == b.title);
  CHECK(a.units == b.units);
  CHECK(a.upper.shear_modulus == b.upper.shear_modulus);
  CHECK(a.lower.poisson_ratio == b.lower.poisson_ratio);
  CHECK(a.grid.mx == b.grid.mx);
  CHECK(a.grid.dx == b.grid.dx);
  CHECK(a.grid.dy == b.grid.dy);
  CHECK(a.grid.x0 == b.grid.x0);
  CHECK(a.grid.y0 == b.grid.y0);
  CHECK(a.solver.tolerance == b.solver.tolerance);
  REQUIRE(a.geometry.size() == b.geometry.size());
  for (std::size_t i = 0; i < a.geometry.size(); ++i)
    CHECK(a.geometry[i].index() == b.geometry[i].index());
  REQUIRE(a.steps.size() == b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i)
    CHECK(describe_step(a.steps[i]) == describe_step(b.steps[i]));
  CHECK(first.output.fields == second.output.fields);
  CHECK(first.output.step_numbers == second.output.step_numbers);
  REQUIRE(first.expected.size() == second.expected.size());
  for (std::size_t i = 0; i < first.expected.size(); ++i) {
    CHECK(first.expected[i].quantity == second.expected[i].quantity);
    CHECK(first.expected[i].value == second.expected[i].value);
    CHECK(first.expected[i].tolerance == second.expected[i].tolerance);
    CHECK(first.expected[i].step == second.expected[i].step);
    CHECK(first.expected[i].source == second.expected[i].source);
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("case reader: every number of a plain case arrives") {
    const CaseFile file = read_text(kPlainCase);
    const ContactProblem& problem = file.problem;
    CHECK(problem.title == "Cattaneo shift");
    CHECK(problem.units == Units::n_mm_s);
    CHECK(problem.upper.shear_modulus == 200.0);
    CHECK(problem.upper.poisson_ratio == 0.42);
    CHECK(problem.lower.shear_modulus == 100.0);
    CHECK(problem.lower.poisson_ratio == 0.3);
    CHECK(problem.grid.mx == 19);
    CHECK(problem.grid.my == 17);
    CHECK(problem.grid.dx == 0.125);
    CHECK(problem.grid.dy == 0.25);
    CHECK(problem.grid.x0 == -1.25);
    CHECK(problem.grid.y0 == -2.0);
    REQUIRE(problem.geometry.size() == 1);
    const auto& shape = std::get<QuadraticShape>(problem.geometry[0]);
    CHECK(shape.xx == 0.01);
    CHECK(shape.yy == 0.02);
    CHECK(shape.xy == 0.0);
    REQUIRE(problem.steps.size() == 1);
    CHECK(describe_step(problem.steps[0]) == "0.4 F9 shift ratio-0.875 rigid0.001 0 x1");
  }

  TEST_CASE("case reader: what is not given has its default") {
    std::string text = edited(kPlainCase, "title: Cattaneo shift\n", "");
    text = edited(text, "  origin: [-1.25, -2.0]\n", "");
    text = text.substr(0, text.find("tangential:"));
    const CaseFile file = read_text(text);
    CHECK(file.problem.title == "case");  // the file's name
    CHECK(file.problem.grid.x0 == -0.5 * 19 * 0.125);
    CHECK(file.problem.grid.y0 == -0.5 * 17 * 0.25);
    CHECK(file.problem.grid.boundary == Boundary::free);
    CHECK(describe_step(file.problem.steps.at(0)) == "0.4 F9 none rigid0 rigid0 0 x1");
    CHECK(file.problem.solver.influence == InfluenceMethod::automatic);
    CHECK(file.problem.solver.normal == NormalMethod::automatic);
    CHECK(file.problem.solver.tangential == TangentialMethod::automatic);
    CHECK(file.problem.solver.tolerance == 1.0e-6);
    CHECK_FALSE(file.output.fields);
    CHECK(file.output.steps == OutputSettings::Steps::all);
    CHECK(file.expected.empty());
  }

  TEST_CASE("case reader: without a tangential problem friction may be left out") {
    std::string text = edited(kPlainCase, "friction: {coefficient: 0.4}\n", "");
    text = text.substr(0, text.find("tangential:"));
    CHECK(read_text(text).problem.steps.at(0).friction.coefficient == 0.0);
  }

  TEST_CASE("case reader: a Young's modulus stands for G = E/(2(1 + nu))") {
    const CaseFile file = read_text(
        edited(kPlainCase, "shear_modulus: 100.0, poisson", "young_modulus: 260, poisson"));
    CHECK(file.problem.lower.shear_modulus == test::near(100.0, 1e-15));  // rounding
  }

  TEST_CASE("case reader: an extent gives spacing and origin") {
    const std::string text = edited(kPlainCase, "  spacing: [0.125, 0.25]\n  origin: [-1.25, -2.0]",
                                    "  extent: {x: [-1.9, 1.9], y: [0.0, 34.0]}");
    const Grid grid = read_text(text).problem.grid;
    CHECK(grid.dx == 3.8 / 19);
    CHECK(grid.dy == 2.0);
    CHECK(grid.x0 == -1.9);
    CHECK(grid.y0 == 0.0);
  }

  TEST_CASE("case reader: a list of shapes is read in its order, with every supported type") {
    const CaseFile file =
        read_text(edited(kPlainCase, "geometry: {type: quadratic, xx: 0.01, yy: 0.02}",
                         R"(geometry:
  - {type: quadratic, xx: 1, xy: 2, yy: 3, x: 4, y: 5, constant: -6}
  - {type: sphere, radius: 100}
  - {type: ellipsoid, radii: [30, 40]}
  - {type: cylinder, radius: 50}
  - {type: cylinder, radius: 60, axis: x}
  - {type: hertz, semi_axes: [2, 1]}
  - {type: punch, shape: circle, radius: 1.5}
  - {type: punch, shape: rectangle, half_widths: [1, 2]}
  - {type: planform, shape: ellipse, semi_axes: [1, 2], centre: [0.1, -0.2]}
  - {type: planform, shape: polygon, vertices: [[0, 0], [3, 0], [0.5, 4]], centre: [-1, -2]}
  - {type: profile, y: [-2, 0, 0.5, 3], z: [4, 0, 0.25, 9], curvature_x: 0.01, of: upper})"));
    const auto& geometry = file.problem.geometry;
    REQUIRE(geometry.size() == 11);
    CHECK(std::get<QuadraticShape>(geometry[0]).xy == 2.0);
    CHECK(std::get<QuadraticShape>(geometry[0]).constant == -6.0);
    CHECK(std::get<SphereShape>(geometry[1]).radius == 100.0);
    CHECK(std::get<EllipsoidShape>(geometry[2]).radius_y == 40.0);
    CHECK(std::get<CylinderShape>(geometry[3]).axis == CylinderAxis::y);
    CHECK(std::get<CylinderShape>(geometry[4]).axis == CylinderAxis::x);
    CHECK(std::get<HertzShape>(geometry[5]).semi_axis_x == 2.0);
    CHECK(std::get<HertzShape>(geometry[5]).force == 9.0);  // of the first step
    const auto outline = [&](std::size_t i) {
      return std::get<PlanformShape>(geometry[i]).outline;
    };
    CHECK(std::get<EllipseOutline>(outline(6)).semi_axis_y == 1.5);
    CHECK(std::get<RectangleOutline>(outline(7)).half_width_y == 2.0);
    CHECK(std::get<EllipseOutline>(outline(8)).semi_axis_x == 1.0);
    CHECK(std::get<PlanformShape>(geometry[8]).centre_y == -0.2);
    CHECK(std::get<PolygonOutline>(outline(9)).vertices.at(2) == std::array{0.5, 4.0});
    CHECK(std::get<ProfileShape>(geometry[10]).y == std::vector<double>{-2, 0, 0.5, 3});
    CHECK(std::get<ProfileShape>(geometry[10]).z.back() == 9.0);
    CHECK(std::get<ProfileShape>(geometry[10]).curvature_x == 0.01);
    CHECK(std::get<ProfileShape>(geometry[10]).of == HeightsOf::upper);
    check_round_trip(file);
  }

  TEST_CASE("case reader: steps override key by key, a tangential with its problem as a whole") {
    const CaseFile file = read_text(kPlainCase + R"(steps:
  - {repeat: 3}
  - normal: {approach: 0.01}
    tangential: {x: {shift: 0.002}}
  - friction: {coefficient: 0.5}
    tangential: {rotation: 0.25}
    repeat: 2
  - tangential: {problem: shift, y: {force: 1.5}}
    normal: {force: 7}
  - tangential: {problem: none}
)");
    const auto& steps = file.problem.steps;
    REQUIRE(steps.size() == 5);
    CHECK(describe_step(steps[0]) == "0.4 F9 shift ratio-0.875 rigid0.001 0 x3");
    CHECK(describe_step(steps[1]) == "0.4 d0.01 shift rigid0.002 rigid0.001 0 x1");
    CHECK(describe_step(steps[2]) == "0.5 d0.01 shift rigid0.002 rigid0.001 0.25 x2");
    CHECK(describe_step(steps[3]) == "0.5 F7 shift rigid0 force1.5 0 x1");
    CHECK(describe_step(steps[4]) == "0.5 F7 none rigid0 rigid0 0 x1");
    CHECK(count_steps(steps) == 8);
    check_round_trip(file);
  }

  TEST_CASE("case reader: the first step may give the sections that the top leaves out") {
    std::string text = edited(kPlainCase, "normal: {force: 9.0}\n", "");
    text = edited(text, "friction: {coefficient: 0.4}\n", "");
    const CaseFile file =
        read_text(text + "steps: [{normal: {force: 2}, friction: {coefficient: 0.1}}]\n");
    CHECK(describe_step(file.problem.steps.at(0)) == "0.1 F2 shift ratio-0.875 rigid0.001 0 x1");
  }

  TEST_CASE("case reader: output and expected are read, counts are expected exactly") {
    const CaseFile file = read_text(kPlainCase + R"(steps: [{repeat: 4}]
solver: {influence: fft, normal: bound_cg, tangential: gauss_seidel, tolerance: 1e-8}
output: {fields: [gap, pressure], steps: [4, 2]}
expected:
  - {quantity: shift_x, value: 8.155e-3, tolerance: 1e-6, step: 2, source: "table 3, p. \"7\""}
  - {quantity: elements_slip, value: 132}
  - {quantity: force_ratio_x, value: -0.875, tolerance: 0}
)");
    CHECK(file.problem.solver.influence == InfluenceMethod::fft);
    CHECK(file.problem.solver.normal == NormalMethod::bound_cg);
    CHECK(file.problem.solver.tangential == TangentialMethod::gauss_seidel);
    CHECK(file.problem.solver.tolerance == 1e-8);
    CHECK(file.output.fields == std::vector<std::string>{"gap", "pressure"});
    CHECK(file.output.step_numbers == std::vector<int>{2, 4});
    CHECK(file.output.wants_step(2, 4));
    CHECK_FALSE(file.output.wants_step(3, 4));
    REQUIRE(file.expected.size() == 3);
    CHECK(file.expected[0].quantity == "shift_x");
    CHECK(file.expected[0].value == 8.155e-3);
    CHECK(file.expected[0].tolerance == 1e-6);
    CHECK(file.expected[0].step == 2);
    CHECK(file.expected[0].source == "table 3, p. \"7\"");
    CHECK(file.expected[1].tolerance == 0.0);
    CHECK(file.expected[1].step == 0);
    check_round_trip(file);
  }

  TEST_CASE("output settings: all, last and listed steps") {
    OutputSettings output;
    CHECK(output.wants_step(1, 3));
    output.steps = OutputSettings::Steps::last;
    CHECK_FALSE(output.wants_step(1, 3));
    CHECK(output.wants_step(3, 3));
  }

  TEST_CASE("output.compression: none or a digit, and it comes back") {
    const auto compression = [](const std::string& value) {
      return read_text(kPlainCase + "output: {compression: " + value + "}\n").output.compression;
    };
    CHECK_FALSE(read_text(kPlainCase).output.compression);
    CHECK_FALSE(compression("none"));
    CHECK(compression("0") == 0);
    CHECK(compression("9") == 9);
    check_round_trip(read_text(kPlainCase + "output: {compression: 4}\n"));
    for (const char* wrong : {"10", "-1", "4.0", "fast", "'4'", "true"}) {
      const auto messages =
          test::messages_of(kPlainCase + "output: {compression: " + wrong + "}\n");
      REQUIRE(messages.size() == 1);
      CHECK(messages[0].find("none, or a level from 0 to 9") != std::string::npos);
    }
  }

  TEST_CASE("resolved case: is this text for the plain case") {
    CHECK(read_text(kPlainCase).resolved_yaml == R"(schema: 1
title: "Cattaneo shift"
units: N-mm-s
bodies:
  upper: {shear_modulus: 200, poisson_ratio: 0.42}
  lower: {shear_modulus: 100, poisson_ratio: 0.3}
grid:
  elements: [19, 17]
  spacing: [0.125, 0.25]
  origin: [-1.25, -2]
  boundary: free
geometry:
  - {type: quadratic, xx: 0.01, xy: 0, yy: 0.02, x: 0, y: 0, constant: 0}
friction: {coefficient: 0.4}
normal: {force: 9}
tangential: {problem: shift, x: {force_ratio: -0.875}, y: {shift: 0.001}, rotation: 0, start: last}
solver: {influence: auto, normal: auto, tangential: auto, slope: {initial: 1, rest: 1, decay: 0}, flexibility: 0, rolling: first_order, tolerance: 1e-06}
output: {fields: all, steps: all, sensitivities: false, spots: false}
)");
  }

  TEST_CASE("resolved case: awkward numbers and titles survive the round trip") {
    std::string text =
        edited(kPlainCase, "title: Cattaneo shift", "title: 'C:\\ \"quoted\", # é: [not a list]'");
    text = edited(text, "spacing: [0.125, 0.25]", "spacing: [0.1, 1.2345678901234567e-9]");
    text = edited(text, "origin: [-1.25, -2.0]", "origin: [-0.30000000000000004, 0]");
    text = edited(text, "units: N-mm-s", "units: SI");
    const CaseFile file = read_text(text);
    CHECK(file.problem.title == "C:\\ \"quoted\", # é: [not a list]");
    CHECK(file.problem.units == Units::si);
    check_round_trip(file);
  }

  TEST_CASE("resolved case: with every default written it reads back to itself") {
    for (const char* solver : {"", "solver: {tangential: fastsim, normal: auto}\n"}) {
      std::string text = kPlainCase;
      if (*solver != 0) {
        text = edited(text, "shear_modulus: 100.0, poisson_ratio: 0.3",
                      "shear_modulus: 200.0, poisson_ratio: 0.42");
        text.erase(text.find("tangential:"));
        text += std::string("tangential: {problem: steady_rolling}\n") + solver;
      }
      const CaseFile file = read_text(text);
      const CaseFile again = read_text(write_case(file));
      CHECK(again.resolved_yaml == file.resolved_yaml);
    }
  }

  TEST_CASE("case reader: Windows line ends and a byte order mark are read") {
    std::string text = "\xEF\xBB\xBF";
    for (const char letter : kPlainCase) text += letter == '\n' ? "\r\n" : std::string(1, letter);
    CHECK(read_text(text).problem.title == "Cattaneo shift");
  }

  TEST_CASE("case reader: an alias stands for what its anchor holds") {
    std::string text = edited(kPlainCase, "upper: {", "upper: &steel {");
    text = edited(text, "lower: {shear_modulus: 100.0, poisson_ratio: 0.3}", "lower: *steel");
    CHECK(read_text(text).problem.lower.shear_modulus == 200.0);
  }
}

}  // namespace slipfield
