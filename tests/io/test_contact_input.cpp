// SPDX-License-Identifier: Apache-2.0
// Input files of CONTACT: what each digit and number becomes, read back as a case.
#include "io/contact/contact_input.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <numbers>
#include <string>
#include <vector>

#include "tests/support/contact_input_support.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

using test::converted;
using test::edited;
using test::edited_problem;
using test::kEnd;
using test::kGrid;
using test::kRolling;
using test::only_step;
using test::problem_of;
using test::read_converted;

// One more case with digits of its own and further lines.
std::string case_with(const std::string& digits, const std::string& lines) {
  return " 3 MODULE\n" + digits + lines;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("CONTACT input: every number of a rolling case arrives at its key") {
    const ContactProblem problem = problem_of(kRolling);
    CHECK(problem.units == Units::n_mm_s);
    CHECK(problem.upper.shear_modulus == 400.0);
    CHECK(problem.upper.poisson_ratio == 0.25);
    CHECK(problem.lower.shear_modulus == 500.0);
    CHECK(problem.lower.poisson_ratio == 0.35);
    CHECK(problem.grid.mx == 12);
    CHECK(problem.grid.my == 10);
    CHECK(problem.grid.dx == 1.0);
    CHECK(problem.grid.dy == 0.8);
    CHECK(problem.grid.x0 == -6.0);
    CHECK(problem.grid.y0 == -4.0);
    const auto& shape = std::get<QuadraticShape>(problem.geometry.at(0));
    CHECK(shape.xx == 0.01);
    CHECK(shape.xy == 0.001);
    CHECK(shape.yy == 0.02);
    CHECK(shape.x == 0.003);
    CHECK(shape.y == -0.004);
    CHECK(shape.constant == 0.005);
    const StepInput& step = only_step(problem);
    CHECK(step.friction.coefficient == 0.3);
    CHECK(step.normal.control == NormalControl::force);
    CHECK(step.normal.value == 800.0);
    CHECK(step.tangential.problem == TangentialProblem::steady_rolling);
    CHECK(step.tangential.x.control == TangentialControl::rigid);
    CHECK(step.tangential.x.value == 0.001);
    CHECK(step.tangential.y.value == -0.002);
    CHECK(step.tangential.rotation == 0.0003);
    CHECK(step.tangential.direction == 0.0);
    CHECK(step.tangential.velocity == 3000.0);
    CHECK(step.tangential.step == 1.0);  // that of an element: T = 3 takes no other
    CHECK(problem.solver.tangential == TangentialMethod::automatic);
  }

  TEST_CASE("CONTACT input: Fortran's numbers, commas, lists over several lines, remarks") {
    const std::string text = edited(edited(edited(kRolling, "  800. 0.001 -0.002 0.0003  FN",
                                                  "  8.D+2, 1d-3\n% between\n\n"
                                                  "\t-.2-2 = +3.0e-4 FN"),
                                           "  0.0  0.5 3000.  ", "  180.0d 5.-1 3000. none "),
                                    "-0.004 0.005", "% -9 -9\n  -0.004 0.005 7 remarks");
    const StepInput step = only_step(problem_of(text));
    CHECK(step.normal.value == 800.0);
    CHECK(step.tangential.x.value == 0.001);
    CHECK(step.tangential.y.value == -0.002);
    CHECK(step.tangential.rotation == 0.0003);
    CHECK(step.tangential.direction == test::near(std::numbers::pi, 1e-15));
  }

  TEST_CASE("CONTACT input: T = 0, 1, 2 are frictionless contact, a shift, transient rolling") {
    const std::string still = edited(kRolling, "  0.0  0.5 3000.            CHI, DQ, VELOC\n", "");
    const StepInput none = only_step(problem_of(edited(still, "203100", "200100")));
    CHECK(none.tangential.problem == TangentialProblem::none);
    const StepInput shift = only_step(problem_of(edited(still, "203100", "201100")));
    CHECK(shift.tangential.problem == TangentialProblem::shift);
    CHECK(shift.tangential.x.value == 0.001);
    CHECK(shift.tangential.rotation == 0.0003);
    const StepInput transient = only_step(edited_problem("203100", "202100"));
    CHECK(transient.tangential.problem == TangentialProblem::transient_rolling);
    CHECK(transient.tangential.step == 0.5);  // DQ
  }

  TEST_CASE("CONTACT input: N and F choose between approach and force, creepage and force ratio") {
    CHECK(only_step(edited_problem("203100", "203000")).normal.control == NormalControl::approach);
    const Tangential one = only_step(problem_of(edited(edited(kRolling, "203100", "203110"),
                                                       "800. 0.001", "800. 0.7")))
                               .tangential;
    CHECK(one.x.control == TangentialControl::force_ratio);
    CHECK(one.x.value == 0.7);
    CHECK(one.y.control == TangentialControl::rigid);
    const Tangential two = only_step(edited_problem("203100", "203120")).tangential;
    CHECK(two.x.control == TangentialControl::force_ratio);
    CHECK(two.y.control == TangentialControl::force_ratio);
    CHECK(two.y.value == -0.002);
  }

  TEST_CASE("CONTACT input: a spin about a point is one about the origin and a creepage there") {
    const double x = 2.0;
    const double y = -3.0;
    const Tangential spin =
        only_step(edited_problem("-0.002 0.0003  FN", "-0.002 0.0003 2. -3. FN")).tangential;
    // The rigid slip at the point itself is the creepage that was given.
    CHECK(spin.x.value - spin.rotation * y == test::near(0.001, 1e-14));
    CHECK(spin.y.value + spin.rotation * x == test::near(-0.002, 1e-14));
    // Where a force is given, the creepage is an unknown anyway.
    const std::string force = edited(kRolling, "203100", "203120");
    const Tangential forces =
        only_step(problem_of(edited(force, "0.0003  FN", "0.0003 2. -3. FN"))).tangential;
    CHECK(forces.x.value == 0.001);
  }

  TEST_CASE("CONTACT input: steady rolling but with G = 2 goes along x, as in CONTACT") {
    const ConvertedInput input = converted(edited(kRolling, "0.0  0.5", "30.d 0.5") + kEnd);
    REQUIRE(input.warnings.size() == 1);
    CHECK(input.warnings[0].find("a.inp:9:3: CHI: steady rolling goes along x") !=
          std::string::npos);
    CHECK(only_step(read_converted(input.cases[0]).problem).tangential.direction == 0.0);
    CHECK(only_step(edited_problem("0.0  0.5", "3.1416 0.5")).tangential.direction ==
          test::near(std::numbers::pi, 1e-15));
    const std::string other =
        edited(edited(kRolling, "0000341", "0200341"), "1e-6  ", "1e-6\n 0.5 1. 1 1.1 ");
    const Tangential free = only_step(problem_of(edited(other, "0.0  0.5", "30.d 0.5"))).tangential;
    CHECK(free.direction == test::near(std::numbers::pi / 6.0, 1e-15));
    CHECK(free.step == 0.5);  // DQ, which is shorter than an element
  }

  TEST_CASE("CONTACT input: INISLP is where falling friction starts, and stays until stated") {
    const std::string falling = edited(
        edited(edited(kRolling, "0000341", "0200341"), "1e-6  ", "1e-6\n 0.5 1. 1 1.1 OMEGAH "),
        "022020", "422020");
    const std::string law =
        edited(falling, "  0.3  0.3     ", "  0.18 0.12 100. 0. 0. FKIN\n  0. 1. MEMDST ");
    const auto later = [](const std::string& digits, const std::string& line) {
      return case_with("  203100\n  100000\n 0" + digits + "00341\n",
                       "  80 200 5 1 1e-6\n" + line + "  700. 0.001 -0.002 0.0003\n");
    };
    const ContactProblem problem = problem_of(law + later("4", "  -1 1.1  INISLP, OMGSLP\n") +
                                              later("0", "") + later("4", "  0 1.1\n"));
    REQUIRE(problem.steps.size() == 3);
    CHECK(problem.steps[0].tangential.start == FrictionStart::adhesion);
    CHECK(problem.steps[1].tangential.start == FrictionStart::slip);
    CHECK(problem.steps[1].repeat == 2);
    CHECK(problem.steps[2].tangential.start == FrictionStart::last);
    // Without falling friction there is one solution.
    const std::string plain = edited(kRolling, "0000341", "0400341");
    CHECK(
        only_step(problem_of(edited(plain, "1e-6  ", "1e-6\n -1 1.1 INISLP "))).tangential.start ==
        FrictionStart::last);
  }

  TEST_CASE("CONTACT input: the iteration lines of every G, and the debug line of X, are skipped") {
    const std::string line = "  80 200 5 1 1e-6           MAXGS, MAXIN, MAXNR, MAXOUT, EPS\n";
    const std::vector<std::pair<std::string, std::string>> examples{
        {"100341", ""},
        {"300341", line + " 0.5 1. 1 1.1 OMEGAH\n"},
        {"400341", line + " 1 1.1 INISLP\n"},
        {"500341", line + " .99 0. 1 1. 0. 1. 1. 1. FDECAY\n"},
        {"10000341", " 0000000 0 PSFLCIN\n" + line}};
    for (const auto& [digits, lines] : examples) {
      CAPTURE(digits);
      CHECK(only_step(problem_of(edited(edited(kRolling, "0000341", digits), line, lines)))
                .normal.value == 800.0);
    }
  }

  TEST_CASE("CONTACT input: L = 2, 3, 4 are the falling laws, their half velocities SABSH") {
    const std::vector<std::pair<std::string, FrictionLaw>> laws{
        {"222020", FrictionLaw::linear_falling},
        {"322020", FrictionLaw::rational},
        {"422020", FrictionLaw::exponential}};
    for (const auto& [digits, law] : laws) {
      const std::string text = edited(edited(kRolling, "022020", digits), "  0.3  0.3     ",
                                      "  0.18 0.12 100. 0. 0. FKIN\n  0. 1. MEMDST ");
      const Friction friction = only_step(problem_of(text)).friction;
      CHECK(friction.law == law);
      CHECK(friction.coefficient == 0.18 + 0.12);
      CHECK(friction.kinetic == 0.18);
      CHECK(friction.half_velocity == 100.0);
    }
    const std::string two = edited(edited(kRolling, "022020", "422020"), "  0.3  0.3     ",
                                   "  0.18 0.05 100. 0.07 100.\n  0. 1. ");
    CHECK(only_step(problem_of(two)).friction.coefficient == test::near(0.30));
    const std::string none = edited(edited(kRolling, "022020", "422020"), "  0.3  0.3     ",
                                    "  0.18 0. 100. 0. 0.\n  0. 1. ");
    CHECK_FALSE(only_step(problem_of(none)).friction.kinetic);
  }

  TEST_CASE("CONTACT input: V = 2 gives each row of elements its coefficient") {
    std::string rows;
    for (int iy = 0; iy < 10; ++iy) {
      rows += fmt::format("0.{0} 0.{0}\n", 20 + iy);
    }
    const std::string text = edited(edited(kRolling, "022020 ", "2022020 "),
                                    "  0.3  0.3                  FSTAT, FKIN\n", "") +
                             rows;
    const ContactProblem problem = problem_of(text);
    const auto values = static_coefficients(only_step(problem).friction, problem.grid);
    for (int iy = 0; iy < 10; ++iy)
      CHECK(values[problem.grid.index(5, iy)] == test::near(0.20 + 0.01 * iy, 1e-14));
  }

  TEST_CASE("CONTACT input: IPOTCN 1 to 4 state one grid") {
    for (const std::string form :
         {"2\n 12 10 -6. -4. 6. 4.", "3\n 12 10 -5.5 -3.6 1. .8", "4\n 12 10 -5.5 -3.6 5.5 3.6"}) {
      CAPTURE(form);
      const Grid grid = edited_problem(kGrid, form + "\n").grid;
      CHECK(grid.mx == 12);
      CHECK(grid.my == 10);
      CHECK(grid.dx == test::near(1.0, 1e-14));
      CHECK(grid.dy == test::near(0.8, 1e-14));
      CHECK(grid.x0 == test::near(-6.0, 1e-14));
      CHECK(grid.y0 == test::near(-4.0, 1e-14));
    }
  }

  TEST_CASE("CONTACT input: R = 0 leads to the next case without a module number, R = 2 skips") {
    const std::string first = edited(kRolling, "0000341", "0000340");
    const std::string second = " 203100\n 100000\n 0100341\n 700. 0.002 0. 0.\n";
    const ContactProblem problem = problem_of(first + second);
    REQUIRE(problem.steps.size() == 2);
    CHECK(problem.steps[1].normal.value == 700.0);
    CHECK(problem.steps[1].tangential.x.value == 0.002);
    CHECK(problem.steps[1].tangential.rotation == 0.0);
    const ConvertedInput skipped =
        converted(edited(kRolling, "0000341", "0000342") + second + kEnd);
    REQUIRE(skipped.cases.size() == 1);
    CHECK(skipped.cases[0].first_case == 2);
    REQUIRE(skipped.warnings.size() == 1);
    CHECK(skipped.warnings[0].find("a.inp:5:8: R = 2: case 1 is read but not computed") !=
          std::string::npos);
  }

  TEST_CASE("CONTACT input: equal cases in a row are one step that repeats") {
    const std::string same =
        case_with(" 203100\n 100000\n 0100341\n", " 800. 0.001 -0.002 0.0003\n");
    const std::string other = case_with(" 203110\n 100000\n 0100341\n", " 800. 0.5 0. 0.0003\n");
    const ConvertedInput input = converted(kRolling + same + same + other + kEnd);
    REQUIRE(input.cases.size() == 1);
    CHECK(input.cases[0].steps == 4);
    const ContactProblem problem = read_converted(input.cases[0]).problem;
    REQUIRE(problem.steps.size() == 2);
    CHECK(problem.steps[0].repeat == 3);
    CHECK(problem.steps[1].tangential.x.control == TangentialControl::force_ratio);
    CHECK(problem.steps[1].tangential.y.value == 0.0);
    CHECK(problem.steps[1].tangential.rotation == 0.0003);
    CHECK(problem.steps[1].tangential.velocity == 3000.0);
  }

  TEST_CASE("CONTACT input: another grid, geometry, body, method or start begins a file") {
    const std::string load = " 800. 0.001 -0.002 0.0003\n";
    const std::string same_surface =
        "1\n 12 10 -6. -4. 1. .8\n 1 1\n .01 .001 .02 .003 -.004 .005\n";
    const auto files = [&](const std::string& digits, const std::string& lines) {
      return converted(kRolling + case_with(digits, load + lines) + kEnd).cases.size();
    };
    CHECK(files(" 203100\n 120020\n 0100341\n", same_surface) == 1);
    CHECK(files(" 203100\n 120020\n 0100341\n",
                "1\n 13 10 -6. -4. 1. .8\n 1 1\n .01 .001 .02 .003 -.004 .005\n") == 2);
    CHECK(files(" 203100\n 100020\n 0100341\n", " 1 1\n .02 .001 .02 .003 -.004 .005\n") == 2);
    CHECK(files(" 203100\n 102000\n 0100341\n", " 0. .5 3000.\n .25 .35 400. 500.\n") == 1);
    CHECK(files(" 203100\n 102000\n 0100341\n", " 0. .5 3000.\n .25 .35 400. 600.\n") == 2);
    CHECK(files(" 002100\n 100000\n 0100341\n", "") == 1);  // P = 0: from the last tractions
    CHECK(files(" 102100\n 100000\n 0100341\n", "") == 2);
    CHECK(files(" 202100\n 100000\n 0100341\n", "") == 2);
    CHECK(files(" 200100\n 100000\n 0100341\n", "") == 1);  // pressure alone
  }

  TEST_CASE("CONTACT input: a choice of cases leaves the others out, right or wrong") {
    const std::string bilinear = case_with(" 203100\n 103000\n 0100341\n",
                                           " 800. 0 0 0\n 0. .5 3000.\n .25 .35 400. 500.\n");
    const std::string back = case_with(" 203100\n 102000\n 0100341\n",
                                       " 700. 0 0 0\n 0. .5 3000.\n .25 .35 400. 500.\n");
    const std::string text = kRolling + bilinear + back + kEnd;
    CHECK_THROWS_AS(converted(text), CaseError);
    CHECK(converted(text, CaseRange{1, 1}).cases.size() == 1);
    const ConvertedInput last = converted(text, CaseRange{3, 3});
    REQUIRE(last.cases.size() == 1);
    CHECK(only_step(read_converted(last.cases[0]).problem).normal.value == 700.0);
    CHECK_THROWS_AS(converted(text, CaseRange{3, 4}), CaseError);
  }

  TEST_CASE("CONTACT input: the lines of subsurface points are read, each with its form") {
    const std::string blocks =
        " 1 1 MATFIL, OUTPUT\n 1 ISUBS\n 3 0. .1 NZ\n 2\n 1 1 4\n 1 1 4\n 2 0. .1\n 3\n 2 1\n 1 4\n"
        " 2\n 2 0. .1\n 5\n 2\n 0. .1\n 6\n 1 1 4\n 1 1 4\n 2\n 0. .1\n 7\n 1 1\n 4\n 4\n 1\n 0.\n"
        " 9\n 1 2 3\n 0.\n 0. 1.\n 0. 1. 2.\n 0 ISUBS\n";
    const std::string more = case_with(" 203101\n 100000\n 0100341\n", " 700. 0 0 0\n");
    const ConvertedInput input =
        converted(edited(kRolling, "203100", "203103") + blocks + more + kEnd);
    REQUIRE(input.cases.size() == 1);
    CHECK(input.cases[0].steps == 2);
    REQUIRE(input.warnings.size() == 1);
    CHECK(
        input.warnings[0].find("ISUBS = 9: the points are left out, since they are not at element "
                               "centres") != std::string::npos);
    const CaseFile file = read_converted(input.cases[0]);
    REQUIRE(file.interior);
    CHECK(file.interior->depths == std::vector{0.0, 0.1, 0.2});
  }
}

}  // namespace slipfield
