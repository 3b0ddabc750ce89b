// SPDX-License-Identifier: Apache-2.0
// Input files of CONTACT: layers, friction by row and with memory, slip of single elements,
// modified estimates.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/support/contact_input_support.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

using test::converted;
using test::edited;
using test::edited_problem;
using test::kEnd;
using test::kRolling;
using test::only_step;
using test::problem_of;

const std::string kBodies = "  0.25 0.35 400. 500.       POISS 1,2, GG 1,2\n";
const std::string kMotion = "  800. 0.001 -0.002 0.0003  FN, CKSI, CETA, CPHI\n";
const std::string kCoulomb = "  0.3  0.3                  FSTAT, FKIN\n";

std::string edited_twice(const std::string& a, const std::string& b, const std::string& c,
                         const std::string& d) {
  return edited(edited(kRolling, a, b), c, d);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("CONTACT input: a third body is a layer, which yields where it has a limit") {
    const auto layer_of = [](const std::string& numbers) {
      return problem_of(edited_twice("022020", "022420", kBodies, kBodies + numbers)).layer;
    };
    ContactLayer layer = layer_of(" 50. .02 7. -3.\n");
    CHECK(layer.compliance == test::near(.02 / 50.));
    CHECK(layer.normal_compliance == 0.0);
    CHECK(layer.yield_stress == 7.0);
    CHECK(layer.hardening == -3.0);
    for (const char* limit : {"0.", "-1.", "1d10"}) {
      layer = layer_of(fmt::format(" 50. .02 {} 5.\n", limit));
      CHECK_FALSE(layer.yields());
      CHECK(layer.hardening == 0.0);
    }
    // The sheet's line is before that of the layer.
    const std::string both =
        edited_twice("203100", "213100", kBodies, kBodies + " 2e-5 FLXZ\n 50. .02 0. 0.\n");
    layer = problem_of(edited(both, "022020", "022420")).layer;
    CHECK(layer.normal_compliance == 2.0e-5);
    CHECK(layer.compliance == test::near(4.0e-4));
  }

  TEST_CASE("CONTACT input: another layer begins another file") {
    const std::string first =
        edited_twice("022020", "022420", kBodies, kBodies + " 50. .02 0. 0.\n");
    const std::string same = " 3 MODULE\n 203100\n 100400\n 0100141\n 800. 0. 0. 0.\n";
    CHECK(converted(first + same + kEnd).cases.size() == 1);
    CHECK(converted(first + edited(same, "100400", "100000") + kEnd).cases.size() == 2);
  }

  TEST_CASE("CONTACT input: two terms and memory of a falling law") {
    const auto law_of = [](const std::string& digit, const std::string& numbers) {
      return only_step(problem_of(edited_twice("022020", digit + "22020", kCoulomb, numbers)))
          .friction;
    };
    Friction friction = law_of("4", " .2 .1 100. .05 30.\n 2d-3 1.5\n");
    CHECK(friction.law == FrictionLaw::exponential);
    CHECK(friction.coefficient == test::near(.35));
    CHECK(friction.kinetic == .2);
    CHECK(friction.half_velocity == 100.0);
    CHECK(friction.second_drop == .05);
    CHECK(friction.second_half_velocity == 30.0);
    CHECK(friction.memory_distance == 2.0e-3);
    CHECK(friction.memory_velocity == 1.5);
    friction = law_of("3", " .2 0. 0. .05 30.\n 0. 1.\n");  // only the square
    CHECK(friction.law == FrictionLaw::rational);
    CHECK(sliding_law(friction).at(60.0) == test::near(.2 + .05 / 5.0));
    CHECK_FALSE(friction.remembers());
    friction = law_of("2", " .2 .1 100. .05 100.\n 1e-9 1.\n");  // one velocity: one term
    CHECK(friction.second_drop == 0.0);
    CHECK(sliding_law(friction).at(100.0) == test::near(.2 + .15 / 2.0));
    CHECK_FALSE(friction.remembers());
  }

  TEST_CASE("CONTACT input: friction by row, of V = 3 and of V = 2, and forces over F_n") {
    std::string rows;
    std::string laws;
    for (int row = 0; row < 10; ++row) {
      rows += fmt::format(" .{0} .{0}\n", row < 4 ? 2 : 3);
      laws += fmt::format(" .2 .{} 100. 0. 0.\n", row < 4 ? 1 : 3);
    }
    for (const char* digits : {"2022020", "3022020"}) {
      const std::string text = edited_twice("022020", digits, kCoulomb, "");
      const Friction friction = only_step(problem_of(text + rows)).friction;
      const auto& points = std::get<FrictionAlongY>(friction.place);
      REQUIRE(points.y.size() == 10);
      CHECK(points.y[0] == test::near(-3.6));
      CHECK(points.value[3] == .2);
      CHECK(points.value[4] == .3);
    }
    const std::string falling = edited_twice("022020", "3422020", kCoulomb, "");
    const Friction friction = only_step(problem_of(falling + laws + " 0. 1.\n")).friction;
    REQUIRE(friction.along_y.size() == 10);
    CHECK(friction.along_y[3].law.fixed == test::near(.3));
    CHECK(friction.along_y[4].law.fixed == test::near(.5));
    CHECK(friction.along_y[9].y == test::near(3.6));
    const std::string pulled =
        edited(edited(falling, "203100", "203110"), "800. 0.001", "800. 0.1");
    const StepInput step = only_step(problem_of(pulled + laws + " 0. 1.\n"));
    CHECK(step.tangential.x.control == TangentialControl::force);
    CHECK(step.tangential.x.value == test::near(80.0));
  }

  TEST_CASE("CONTACT input: slip of single elements, and spin left out of a direction") {
    std::string values;
    for (int i = 0; i < 120; ++i) values += fmt::format(" {} {}\n", 1e-5 * i, -2e-5 * i);
    Tangential tangential =
        only_step(problem_of(edited(kRolling, "022020", "022029") + values)).tangential;
    REQUIRE(tangential.extra.given());
    CHECK(tangential.extra.x->at(17) == test::near(17e-5));
    CHECK(tangential.extra.y->at(119) == test::near(-238e-5));
    CHECK(tangential.rotation == 0.0003);
    // E = 2: nothing of the spin is left in y, wherever its centre is.
    const std::string centred = edited(kRolling, "0.0003  FN", "0.0003 .7 -.4  FN");
    for (const char form : {'2', '3'}) {
      const ContactProblem problem =
          problem_of(edited(centred, "022020", std::string("02202") + form));
      tangential = only_step(problem).tangential;
      const Grid& grid = problem.grid;
      const std::size_t i = grid.index(3, 8);
      if (form == '2') {
        const double spin = 0.0003 * (grid.x(3) + tangential.step / 6.0);
        CHECK(tangential.y.value + spin + tangential.extra.y->at(i) == test::near(-0.002));
        CHECK(tangential.x.value == test::near(0.001 + 0.0003 * -.4));
        CHECK_FALSE(tangential.extra.x);
      } else {
        CHECK(tangential.x.value - 0.0003 * grid.y(8) + tangential.extra.x->at(i) ==
              test::near(0.001));
        CHECK(tangential.y.value == test::near(-0.002 - 0.0003 * .7));
        CHECK_FALSE(tangential.extra.y);
      }
    }
  }

  TEST_CASE("CONTACT input: spin from another place ahead is a creepage") {
    const Tangential tangential =
        only_step(edited_problem("0.0  0.5 3000.", "0.0  0.5 3000. 0.5")).tangential;
    // eta + phi (x + dq/2), of which the program itself has phi (x + dq/6)
    CHECK(tangential.y.value == test::near(-0.002 + 0.0003 * (0.5 - 1.0 / 6.0)));
    CHECK(tangential.x.value == 0.001);
  }

  TEST_CASE("CONTACT input: FASTSIM with a slope reduction, and with one flexibility") {
    const std::string hertz =
        edited(edited(edited(kRolling, "203100", "223100"), "022020", "022320"), kBodies,
               kBodies + " .54 .02 .62\n");
    const std::string ellipse = hertz.substr(0, hertz.find("  1                         IPOTCN")) +
                                " -3\n 12 10 2. 1. 1.1\n";
    ContactProblem problem = problem_of(ellipse);
    CHECK(problem.solver.tangential == TangentialMethod::fastsim);
    CHECK(problem.solver.traction_bound == TractionBound::elliptic);
    CHECK(problem.solver.slope == SlopeReduction{.54, .02, .62});
    CHECK(problem.solver.flexibility == 0.0);
    problem =
        problem_of(edited(edited(ellipse, "022320", "022220"), " .54 .02 .62", " 3e-5 1. 1. 0."));
    CHECK(problem.solver.flexibility == 3e-5);
    CHECK(problem.solver.slope == SlopeReduction{});
  }

  TEST_CASE("CONTACT input: what stays is that of the same result element") {
    const std::string other =
        edited(edited(kRolling, " 3  MODULE", " 3  2  MODULE"), "400. 500.", "800. 900.");
    const std::string again = " 3 MODULE\n 203100\n 100000\n 0100141\n 700. 0. 0. 0.\n";
    const ConvertedInput input = converted(kRolling + other + again + kEnd);
    REQUIRE(input.cases.size() == 3);
    const ContactProblem last = test::read_converted(input.cases[2]).problem;
    CHECK(last.upper.shear_modulus == 400.0);
    CHECK(only_step(last).normal.value == 700.0);
  }
}

}  // namespace slipfield
