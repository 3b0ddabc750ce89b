// SPDX-License-Identifier: Apache-2.0
// Rolling and periodic grids in a case file: what arrives, and every message.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::kPlainGeometry;
using test::messages_of;
using test::read_text;
using test::warnings_about;

const std::string kShift = "  problem: shift\n  x: {force_ratio: -0.875}\n  y: {shift: 0.001}\n";
const std::string kOrigin = "  origin: [-1.25, -2.0]\n";

// The plain case with another tangential section, whose problem is in line 15.
std::string with_tangential(const std::string& keys) { return edited(kPlainCase, kShift, keys); }

std::string periodic(const std::string& text) {
  return edited(text, kOrigin, "  boundary: periodic\n");
}

// The only message of a case, without "case.yaml:".
void check_message(const std::string& text, const std::string& message) {
  CAPTURE(text);
  CHECK(messages_of(text) == std::vector<std::string>{"case.yaml:" + message});
}

void check_tangential(const std::vector<std::pair<std::string, std::string>>& examples) {
  for (const auto& [keys, message] : examples) check_message(with_tangential(keys), message);
}

// Reads the resolved case again.
Tangential resolved(const CaseFile& file, std::size_t step = 0) {
  const CaseFile again = read_text(file.resolved_yaml);
  CHECK(again.resolved_yaml == file.resolved_yaml);
  return again.problem.steps.at(step).tangential;
}

void check_same(const Tangential& a, const Tangential& b) {
  CHECK(a.problem == b.problem);
  CHECK(a.x.control == b.x.control);
  CHECK(a.x.value == b.x.value);
  CHECK(a.y.control == b.y.control);
  CHECK(a.y.value == b.y.value);
  CHECK(a.rotation == b.rotation);
  CHECK(a.direction == b.direction);
  CHECK(a.step == b.step);
  CHECK(a.velocity == b.velocity);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("case reader: every number of a rolling step arrives, and in the resolved case") {
    const CaseFile file = read_text(with_tangential(
        "  problem: steady_rolling\n  x: {creepage: -2.4e-4}\n  y: {force_ratio: 0.3}\n"
        "  spin: 6.25e-4\n  direction: 30\n  step: 0.1\n  velocity: 3e4\n"));
    const Tangential& tangential = file.problem.steps.at(0).tangential;
    CHECK(tangential.problem == TangentialProblem::steady_rolling);
    CHECK(tangential.x.control == TangentialControl::rigid);
    CHECK(tangential.x.value == -2.4e-4);
    CHECK(tangential.y.control == TangentialControl::force_ratio);
    CHECK(tangential.y.value == 0.3);
    CHECK(tangential.rotation == 6.25e-4);
    CHECK(tangential.direction == test::near(std::numbers::pi / 6.0, 1e-15));  // ulp
    CHECK(tangential.step == 0.1);
    CHECK(tangential.velocity == 3.0e4);
    check_same(resolved(file), tangential);
    CHECK(file.resolved_yaml.find(
              "tangential: {problem: steady_rolling, x: {creepage: -0.00024}, y: {force_ratio: "
              "0.3}, spin: 0.000625, direction: 30, step: 0.1, velocity: 30000, start: last, "
              "spin_slip: both}\n") != std::string::npos);
  }

  TEST_CASE("case reader: traction coefficients and the spin of one component, and come back") {
    const std::string text =
        with_tangential(
            "  problem: steady_rolling\n  x: {traction_coefficient: 0.1}\n  spin_slip: y\n") +
        "solver: {tangential: fastsim}\n";
    const CaseFile file = read_text(text, {"tangential.x.traction_coefficient=0.2"});
    const Tangential& tangential = file.problem.steps.at(0).tangential;
    CHECK(tangential.x.control == TangentialControl::traction_coefficient);
    CHECK(tangential.x.value == 0.2);
    CHECK(tangential.spin_slip == SpinSlip::y);
    check_same(resolved(file), tangential);
    CHECK(resolved(file).spin_slip == SpinSlip::y);
    check_message(
        edited(text, "0.1}", "0.4}"),
        "16:29: tangential.x: the traction coefficient 0.4 reaches that of friction, 0.4; "
        "accepted: a number below it in magnitude");
  }

  TEST_CASE(
      "case reader: a rolling step has creepage 0, direction 0 and the length dx by default") {
    const CaseFile file = read_text(with_tangential("  problem: transient_rolling\n"));
    const Tangential& tangential = file.problem.steps.at(0).tangential;
    CHECK(tangential.problem == TangentialProblem::transient_rolling);
    CHECK(tangential.x.control == TangentialControl::rigid);
    CHECK(tangential.x.value == 0.0);
    CHECK(tangential.rotation == 0.0);
    CHECK(tangential.direction == 0.0);
    CHECK(tangential.step == 0.125);
    CHECK(tangential.velocity == 0.0);
    check_same(resolved(file), tangential);
  }

  TEST_CASE("case reader: a rolling problem replaces a shift, its keys are overridden one by one") {
    const CaseFile file = read_text(kPlainCase + R"(steps:
  - {repeat: 1}
  - tangential: {problem: transient_rolling, x: {force: -2}, step: 0.0625, spin: 1e-3}
    repeat: 5
  - tangential: {x: {creepage: 1e-3}, direction: 180}
  - tangential: {problem: steady_rolling, velocity: 2}
)");
    const auto& steps = file.problem.steps;
    REQUIRE(steps.size() == 4);
    CHECK(steps[1].tangential.x.control == TangentialControl::force);
    CHECK(steps[1].tangential.y.value == 0.0);  // not the shift's
    CHECK(steps[2].tangential.problem == TangentialProblem::transient_rolling);
    CHECK(steps[2].tangential.x.control == TangentialControl::rigid);
    CHECK(steps[2].tangential.step == 0.0625);
    CHECK(steps[2].tangential.rotation == 1e-3);
    CHECK(steps[2].tangential.direction == std::numbers::pi);
    CHECK(steps[3].tangential.step == 0.125);
    CHECK(steps[3].tangential.rotation == 0.0);
    for (std::size_t i = 0; i < steps.size(); ++i)
      check_same(resolved(file, i), steps[i].tangential);
  }

  TEST_CASE("messages: keys of a shift in rolling, and of rolling in a shift") {
    const std::string rolling = "  problem: steady_rolling\n";
    const std::string given = "given although the tangential problem is ";
    check_tangential(
        {{rolling + "  x: {shift: 1}\n",
          "16:7: tangential.x.shift: " + given +
              "steady_rolling; accepted: creepage, or problem: shift"},
         {rolling + "  rotation: 1\n", "16:3: tangential.rotation: " + given +
                                           "steady_rolling; accepted: spin, or problem: shift"},
         {"  problem: shift\n  y: {creepage: 1}\n",
          "16:7: tangential.y.creepage: " + given +
              "shift; accepted: shift, or problem: steady_rolling or transient_rolling"},
         {"  problem: shift\n  spin: 1\n",
          "16:3: tangential.spin: " + given +
              "shift; accepted: rotation, or problem: steady_rolling or transient_rolling"},
         {"  problem: shift\n  direction: 90\n",
          "16:3: tangential.direction: " + given +
              "shift; accepted: no such key, or problem: steady_rolling or transient_rolling"},
         {"  problem: shift\n  step: 1\n",
          "16:3: tangential.step: " + given +
              "shift; accepted: no such key, or problem: steady_rolling or transient_rolling"},
         {"  problem: shift\n  velocity: 1\n",
          "16:3: tangential.velocity: " + given +
              "shift; accepted: no such key, or problem: steady_rolling or transient_rolling"},
         {"  problem: none\n  spin: 1\n",
          "16:3: tangential.spin: " + given +
              "none; accepted: no such key, or problem: steady_rolling or transient_rolling"},
         {"  problem: none\n  x: {creepage: 1}\n",
          "16:3: tangential.x: " + given + "none; accepted: no such key, or problem: shift"}});
  }

  TEST_CASE("messages: values of a rolling step") {
    const std::string rolling = "  problem: transient_rolling\n";
    check_tangential(
        {{rolling + "  x: {creepage: 1, force: 2}\n",
          "16:20: tangential.x.force: given together with 'creepage'; accepted: exactly one of "
          "creepage, force, force_ratio, traction_coefficient"},
         {rolling + "  x: {}\n",
          "16:3: tangential.x: none of creepage, force, force_ratio, traction_coefficient is "
          "given; accepted: exactly one of creepage, force, force_ratio, traction_coefficient"},
         {rolling + "  x: 1e-3\n",
          "16:6: tangential.x: is '1e-3'; accepted: a map with exactly one of creepage, force, "
          "force_ratio, traction_coefficient"},
         {rolling + "  x: {crepage: 1e-3, force: 1}\n",
          "16:7: tangential.x.crepage: unknown key; did you mean 'creepage'? accepted: creepage, "
          "force, force_ratio, traction_coefficient"},
         {rolling + "  step: 0\n",
          "16:9: tangential.step: 0 is out of range; accepted: a number > 0"},
         {rolling + "  velocity: -3\n",
          "16:13: tangential.velocity: -3 is out of range; accepted: a number > 0"},
         {rolling + "  direction: .inf\n",
          "16:14: tangential.direction: '.inf' is not finite; accepted: a number"},
         {rolling + "  driection: 90\n",
          "16:3: tangential.driection: unknown key; did you mean 'direction'? accepted: problem, "
          "x, y, spin, moment, direction, step, velocity, start, extra_x, extra_y, spin_slip"},
         {"  problem: rolling\n",
          "15:12: tangential.problem: 'rolling' is not known; accepted: none, shift, "
          "transient_rolling, steady_rolling"},
         {rolling + "  x: {force: 3.6}\n",
          "16:14: tangential.x: the force 3.6 reaches the friction bound mu F_n = 3.6; accepted: a "
          "force below it in magnitude"}});
    check_message(edited(with_tangential(rolling + "  x: {force: 1}\n"), "coefficient: 0.4",
                         "coefficient: 0"),
                  "16:14: tangential.x: a force is prescribed without friction; accepted: a "
                  "friction coefficient > 0, or a creepage");
  }

  TEST_CASE("messages: a transient step longer than an element only along x or y") {
    const std::string rolling = "  problem: transient_rolling\n";
    check_tangential(
        {{rolling + "  direction: 60\n  step: 0.3\n",
          "17:9: tangential.step: a step of 0.3 at 60 degrees is longer than an element of "
          "0.125 x 0.25; accepted: a step of at most 0.25, or a direction along x or y"}});
    for (const std::string direction : {"0", "180", "-180", "360", "90", "270", "-90", "450"}) {
      CAPTURE(direction);
      CHECK(messages_of(with_tangential(rolling + "  step: 3\n  direction: " + direction + "\n"))
                .empty());
    }
    CHECK(messages_of(with_tangential(rolling + "  step: 0.25\n  direction: 45\n")).size() == 1);
    CHECK(messages_of(with_tangential(rolling + "  step: 0.176\n  direction: 45\n")).empty());
    // Judged when whole: the first step brings the length.
    CHECK(messages_of(with_tangential(rolling + "  direction: 45\n  step: 9\n") +
                      "steps: [{tangential: {step: 0.1}}]\n")
              .empty());
  }

  TEST_CASE(
      "case reader: the default step is an element in the direction of rolling, and is never "
      "refused") {
    struct Row {
      std::string direction;
      double step;
    };
    for (const std::string problem : {"transient_rolling", "steady_rolling"}) {
      const std::string text = with_tangential("  problem: " + problem + "\n  direction: ");
      for (const Row& row :
           {Row{"0", 0.125}, Row{"180", 0.125}, Row{"90", 0.25}, Row{"-90", 0.25}, Row{"270", 0.25},
            Row{"45", 1.0 / std::hypot(std::sqrt(32.0), std::sqrt(8.0))}}) {
        CAPTURE(row.direction);
        const CaseFile file = read_text(text + row.direction + "\n");
        CHECK(warnings_about(file, "tangential.step").empty());
        CHECK(file.problem.steps.at(0).tangential.step == test::near(row.step, 1e-15));
        const CaseFile square =
            read_text(edited(text + row.direction + "\n", "[0.125, 0.25]", "[0.125, 0.125]"));
        CHECK(square.problem.steps.at(0).tangential.step == 0.125);  // as in every direction
      }
    }
  }

  TEST_CASE("messages: steady rolling takes no step of less than a millionth of an element") {
    const std::string steady = "  problem: steady_rolling\n  direction: 90\n  step: ";
    check_tangential({{steady + "1e-100\n",
                       "17:9: tangential.step: a step of 1e-100 is less than a millionth of an "
                       "element: rounding leaves too little of the difference of displacements; "
                       "accepted: 2.5e-07 to 0.25"}});
    CHECK(messages_of(with_tangential(steady + "2.6e-7\n")).empty());
    CHECK(messages_of(with_tangential("  problem: transient_rolling\n  step: 1e-100\n")).empty());
  }

  TEST_CASE("case reader: steady rolling takes no step longer than an element, and warns") {
    struct Row {
      std::string tangential;
      double step;
      bool warns;
    };
    const auto shortened = [](const CaseFile& file) {  // warnings of it
      return std::count_if(file.warnings.begin(), file.warnings.end(), [](const auto& warning) {
        return warning.find("is used instead of") != std::string::npos;
      });
    };
    const std::string problem = "  problem: steady_rolling\n";
    for (const Row& row : {Row{"  step: 0.125\n", 0.125, false}, Row{"  step: 0.01\n", 0.01, false},
                           Row{"  step: 0.5\n", 0.125, true}, Row{"", 0.125, false},
                           Row{"  direction: 90\n  step: 0.3\n", 0.25, true},
                           Row{"  direction: 90\n  step: 0.25\n", 0.25, false}}) {
      CAPTURE(row.tangential);
      const CaseFile file = read_text(with_tangential(problem + row.tangential));
      CHECK(file.problem.steps.at(0).tangential.step == row.step);
      CHECK(shortened(file) == (row.warns ? 1 : 0));
      CHECK(shortened(read_text(file.resolved_yaml)) == 0);
    }
    const CaseFile file = read_text(with_tangential(problem + "  step: 0.5\n"));
    CHECK(file.warnings.at(0).find("16:9: tangential.step: steady rolling takes no step longer "
                                   "than an element: 0.125 is used instead of 0.5") !=
          std::string::npos);
  }

  TEST_CASE("messages: an override of a rolling step is judged by the problem in force, once") {
    const std::string text = with_tangential("  problem: steady_rolling\n");
    check_message(text + "steps: [{}, {tangential: {x: {shift: 1}}}, {}]\n",
                  "16:31: steps.1.tangential.x.shift: given although the tangential problem is "
                  "steady_rolling; accepted: creepage, or problem: shift");
    check_message(text + "steps: [{tangential: {x: {creepage: 1, force: 2}}}]\n",
                  "16:40: steps.0.tangential.x.force: given together with 'creepage'; accepted: "
                  "exactly one of creepage, force, force_ratio, traction_coefficient");
    check_message(kPlainCase + "steps: [{tangential: {x: {force: 1, creepage: 1}}}]\n",
                  "18:37: steps.0.tangential.x.creepage: given although the tangential problem is "
                  "shift; accepted: shift, or problem: steady_rolling or transient_rolling");
  }

  TEST_CASE("messages: expected quantities of a shift and of rolling") {
    const std::string expected = "expected: [{quantity: ";
    const std::string rest = ", value: 1, tolerance: 0}]\n";
    const std::string rolling = with_tangential("  problem: steady_rolling\n  velocity: 2\n");
    for (const std::string name : {"creepage_x", "creepage_y", "spin", "friction_power"})
      CHECK(messages_of(rolling + expected + name + rest).empty());
    check_message(rolling + expected + "shift_x" + rest,
                  "17:23: expected.0.quantity: 'shift_x' does not exist in a step whose tangential "
                  "problem is steady_rolling; accepted: a quantity of that problem");
    check_message(kPlainCase + expected + "friction_power" + rest,
                  "18:23: expected.0.quantity: 'friction_power' does not exist in a step without a "
                  "rolling velocity, or the duration of a shift; accepted: friction_work, or a "
                  "tangential.velocity or duration");
    check_message(kPlainCase + "output: {fields: [relative_slip_velocity_x]}\n",
                  "18:19: output.fields.0: 'relative_slip_velocity_x' exists in no step without a "
                  "rolling velocity, or the duration of a shift; accepted: slip_x, slip_y, or a "
                  "tangential.velocity or duration");
    CHECK(messages_of(rolling + "output: {fields: [relative_slip_velocity_x]}\n").empty());
    // Each entry is held against its own step.
    CHECK(messages_of(kPlainCase + "steps: [{}, {tangential: {problem: steady_rolling}}]\n"
                                   "expected:\n"
                                   "  - {quantity: shift_x, value: 1, tolerance: 0, step: 1}\n"
                                   "  - {quantity: spin, value: 1, tolerance: 0}\n")
              .empty());
  }

  TEST_CASE("case reader: newton and a periodic grid arrive, and in the resolved case") {
    const CaseFile file = read_text(periodic(kPlainCase) + "solver: {tangential: newton}\n");
    CHECK(file.problem.solver.tangential == TangentialMethod::newton);
    CHECK(file.problem.grid.boundary == Boundary::periodic);
    const CaseFile again = read_text(file.resolved_yaml);
    CHECK(again.problem.solver.tangential == TangentialMethod::newton);
    CHECK(again.problem.grid.boundary == Boundary::periodic);
    const CaseFile along_y = read_text(edited(kPlainCase, kOrigin, "  boundary: periodic_y\n"));
    CHECK(along_y.problem.grid.boundary == Boundary::periodic_y);
    CHECK(read_text(along_y.resolved_yaml).problem.grid.boundary == Boundary::periodic_y);
    CHECK(messages_of(periodic(edited(kPlainCase, kPlainGeometry,
                                      "{type: punch, shape: circle, radius: 1}")))
              .empty());
  }

  TEST_CASE("messages: what a periodic grid rules out") {
    check_message(edited(with_tangential("  problem: transient_rolling\n  direction: 0\n"), kOrigin,
                         "  boundary: periodic_x\n"),
                  "16:14: tangential.direction: particles that roll along the period do not leave "
                  "the grid, which is not supported; accepted: a direction across the period, or "
                  "grid.boundary: free");
    check_message(edited(with_tangential("  problem: transient_rolling\n"), kOrigin,
                         "  boundary: periodic_x\n"),
                  "15:12: tangential.direction: particles that roll along the period do not leave "
                  "the grid, which is not supported; accepted: a direction across the period, or "
                  "grid.boundary: free");
    check_message(
        edited(with_tangential("  problem: transient_rolling\n  direction: 90\n"), kOrigin,
               "  boundary: periodic_x\n") +
            "wear: {law: archard, coefficient: 1, hardness: 1}\n",
        "17:1: wear: wear needs steps that roll along x or shift, and nothing rolls along x on a "
        "grid of boundary periodic_x; accepted: grid.boundary: free or periodic_y, steps that "
        "shift, or no wear");
    check_message(periodic(with_tangential("  problem: transient_rolling\n")),
                  "15:12: tangential.problem: 'transient_rolling' on a periodic grid is not "
                  "supported yet; accepted: shift, or grid.boundary: free");
    check_message(periodic(kPlainCase) + "steps: [{}, {tangential: {problem: steady_rolling}}]\n",
                  "18:36: steps.1.tangential.problem: 'steady_rolling' on a periodic grid is not "
                  "supported yet; accepted: shift, or grid.boundary: free");
    check_message(periodic(kPlainCase) + "solver: {influence: tiled}\n",
                  "18:21: solver.influence: tiled does not sum over the images of a periodic grid; "
                  "accepted: auto, fft, or grid.boundary: free");
    check_message(periodic(kPlainCase) + "solver: {tangential: gauss_seidel}\n",
                  "18:22: solver.tangential: gauss_seidel does not sum over the images of a "
                  "periodic grid; accepted: auto, newton, or grid.boundary: free");
  }

  TEST_CASE("case reader: the simplified theory's keys arrive, and in the resolved case") {
    const std::string rolling = with_tangential("  problem: steady_rolling\n  direction: 180\n");
    const CaseFile plain = read_text(rolling + "solver: {tangential: fastsim}\n");
    CHECK(plain.problem.solver.tangential == TangentialMethod::fastsim);
    CHECK(plain.problem.solver.traction_bound == TractionBound::parabolic);
    CHECK(plain.resolved_yaml.find("tangential: fastsim, traction_bound: parabolic, ") !=
          std::string::npos);
    const CaseFile elliptic =
        read_text(rolling + "solver: {tangential: fastsim, traction_bound: elliptic}\n");
    CHECK(read_text(elliptic.resolved_yaml).problem.solver.traction_bound ==
          TractionBound::elliptic);
    const CaseFile strips = read_text(rolling + "solver: {tangential: fastrip}\n");
    CHECK(read_text(strips.resolved_yaml).problem.solver.tangential == TangentialMethod::fastrip);
    CHECK(strips.resolved_yaml.find("traction_bound") == std::string::npos);
  }

  TEST_CASE("messages: what the simplified theory does not take") {
    const std::string rolling = "  problem: steady_rolling\n";
    const std::string fastsim = "solver: {tangential: fastsim}\n";
    const std::string steady = with_tangential(rolling);
    check_message(
        kPlainCase + fastsim,
        "18:22: solver.tangential: fastsim solves steady rolling only (step 1); accepted: problem: "
        "steady_rolling in every step, or another method");
    check_message(
        with_tangential(rolling + "  direction: 30\n") + fastsim,
        "17:22: solver.tangential: fastsim rolls along x only (step 1); accepted: a direction of "
        "0 or 180 degrees, or another method");
    check_message(
        with_tangential(rolling + "  step: 0.0625\n") + fastsim,
        "17:22: solver.tangential: fastsim steps from element to element (step 1); accepted: a "
        "tangential.step of dx, or another method");
    check_message(
        edited(steady, kPlainGeometry, "{type: cylinder, radius: 50, axis: y}") + fastsim,
        "16:22: solver.tangential: fastsim needs a Hertzian ellipse along x and y; accepted: a "
        "geometry with xx > 0, yy > 0 and xy = 0, or another method");
    check_message(
        edited(steady, kPlainGeometry, "{type: punch, shape: circle, radius: 1}") + fastsim,
        "16:22: solver.tangential: fastsim needs a Hertzian ellipse, and the geometry is "
        "not a paraboloid; accepted: hertz, sphere, ellipsoid, quadratic, crossed cylinders, or "
        "another method");
    check_message(
        steady + "solver: {tangential: fastsim, normal: newton}\n",
        "16:39: solver.normal: fastsim takes the pressure from Hertz, an estimate or "
        "bound_cg; accepted: auto, bound_cg, kpec, analyn, sdec, or another tangential method");
    check_message(steady + "solver: {tangential: newton, traction_bound: elliptic}\n",
                  "16:30: solver.traction_bound: given although tangential is newton; "
                  "accepted: no such key, or tangential: fastsim");
    check_message(steady + "solver: {tangential: fastsim, traction_bound: parabola}\n",
                  "16:47: solver.traction_bound: 'parabola' is not known; did you mean "
                  "'parabolic'? accepted: parabolic, elliptic");
  }
}

}  // namespace slipfield
