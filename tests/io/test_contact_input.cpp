// Input files of CONTACT: what each digit and number becomes, read back as a case.
#include "io/contact/contact_input.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "solver/geometry.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::TemporaryFolder;

// Steady rolling on 12 x 10 elements; unlike numbers, so that none is taken for another.
const std::string kRolling = R"(% rolling
 3  MODULE
  203100   P-B-T-N-F-S
  022020   L-D-C-M-Z-E
 0000341   H-G-I-A-O-W-R
  80 200 5 1 1e-6           MAXGS, MAXIN, MAXNR, MAXOUT, EPS
  800. 0.001 -0.002 0.0003  FN, CKSI, CETA, CPHI
  0.3  0.3                  FSTAT, FKIN
  0.0  0.5 3000.            CHI, DQ, VELOC
  0.25 0.35 400. 500.       POISS 1,2, GG 1,2
  1                         IPOTCN
  12 10 -6. -4. 1.0 0.8     MX, MY, XL, YL, DX, DY
  1 1                       IBASE, IPLAN
  0.01 0.001 0.02 0.003 -0.004 0.005
)";
const std::string kEnd = " 0  MODULE\n";
const std::string kGrid =
    "  1                         IPOTCN\n  12 10 -6. -4. 1.0 0.8     MX, MY, XL, YL, DX, DY\n";
const std::string kQuadratic =
    "  1 1                       IBASE, IPLAN\n"
    "  0.01 0.001 0.02 0.003 -0.004 0.005\n";

ConvertedInput converted(const std::string& text, const std::optional<CaseRange>& range = {}) {
  const TemporaryFolder folder;
  return convert_contact_input(folder.write("a.inp", text), range);
}

CaseFile read_converted(const ConvertedCase& converted_case) {
  const TemporaryFolder folder;
  folder.write("heights.txt", converted_case.heights);
  return read_case(folder.write("case.yaml", converted_case.text("heights.txt")));
}

// The only case file of the cases.
ContactProblem problem_of(const std::string& text) {
  const ConvertedInput input = converted(text + kEnd);
  REQUIRE(input.cases.size() == 1);
  return read_converted(input.cases.front()).problem;
}

ContactProblem edited_problem(const std::string& old_text, const std::string& new_text) {
  return problem_of(edited(kRolling, old_text, new_text));
}

const StepInput& only_step(const ContactProblem& problem) {
  REQUIRE(problem.steps.size() == 1);
  return problem.steps.front();
}

std::vector<double> distance_of(const ContactProblem& problem) {
  return undeformed_distance(problem.geometry, problem.grid, combine(problem.upper, problem.lower));
}

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
                                                  "\t-.2E-2 = +3.0e-4 FN"),
                                           "  0.0  0.5 3000.  ", "  180.0d 5.d-1 3000. none "),
                                    "-0.004 0.005", "% -9 -9\n  -0.004 0.005 7 remarks");
    const StepInput step = only_step(problem_of(text));
    CHECK(step.normal.value == 800.0);
    CHECK(step.tangential.x.value == 0.001);
    CHECK(step.tangential.y.value == -0.002);
    CHECK(step.tangential.rotation == 0.0003);
    CHECK(step.tangential.direction == doctest::Approx(std::numbers::pi).epsilon(1e-15));
  }

  TEST_CASE("CONTACT input: T = 0, 1, 2 are no tangential problem, a shift, transient rolling") {
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
    CHECK(spin.x.value - spin.rotation * y == doctest::Approx(0.001).epsilon(1e-14));
    CHECK(spin.y.value + spin.rotation * x == doctest::Approx(-0.002).epsilon(1e-14));
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
          doctest::Approx(std::numbers::pi).epsilon(1e-15));
    const std::string other =
        edited(edited(kRolling, "0000341", "0200341"), "1e-6  ", "1e-6\n 0.5 1. 1 1.1 ");
    const Tangential free = only_step(problem_of(edited(other, "0.0  0.5", "30.d 0.5"))).tangential;
    CHECK(free.direction == doctest::Approx(std::numbers::pi / 6.0).epsilon(1e-15));
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
    CHECK(only_step(problem_of(two)).friction.coefficient == doctest::Approx(0.30));
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
      CHECK(values[problem.grid.index(5, iy)] == doctest::Approx(0.20 + 0.01 * iy).epsilon(1e-14));
  }

  TEST_CASE("CONTACT input: IPOTCN 1 to 4 state one grid") {
    for (const std::string form :
         {"2\n 12 10 -6. -4. 6. 4.", "3\n 12 10 -5.5 -3.6 1. .8", "4\n 12 10 -5.5 -3.6 5.5 3.6"}) {
      CAPTURE(form);
      const Grid grid = edited_problem(kGrid, form + "\n").grid;
      CHECK(grid.mx == 12);
      CHECK(grid.my == 10);
      CHECK(grid.dx == doctest::Approx(1.0).epsilon(1e-14));
      CHECK(grid.dy == doctest::Approx(0.8).epsilon(1e-14));
      CHECK(grid.x0 == doctest::Approx(-6.0).epsilon(1e-14));
      CHECK(grid.y0 == doctest::Approx(-4.0).epsilon(1e-14));
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
    const std::string viscous =
        case_with(" 203100\n 102100\n 0100341\n",
                  " 800. 0 0 0\n 0. .5 3000.\n .25 .35 400. 500.\n 1. 1. .1 .1\n");
    const std::string back = case_with(" 203100\n 102000\n 0100341\n",
                                       " 700. 0 0 0\n 0. .5 3000.\n .25 .35 400. 500.\n");
    const std::string text = kRolling + viscous + back + kEnd;
    CHECK_THROWS_AS(converted(text), CaseError);
    CHECK(converted(text, CaseRange{1, 1}).cases.size() == 1);
    const ConvertedInput last = converted(text, CaseRange{3, 3});
    REQUIRE(last.cases.size() == 1);
    CHECK(only_step(read_converted(last.cases[0]).problem).normal.value == 700.0);
    CHECK_THROWS_AS(converted(text, CaseRange{3, 4}), CaseError);
  }

  TEST_CASE("CONTACT input: the lines of subsurface points are skipped, with a warning") {
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
    CHECK(input.warnings[0].find("a.inp:3:8: S = 3: displacements and stresses inside the bodies "
                                 "are not computed") != std::string::npos);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("CONTACT input: IPOTCN -1, -2, -3 are one Hertzian contact [Johnson1985, ch. 4]") {
    const double modulus = combine({400.0, 0.25}, {500.0, 0.35}).contact_modulus();
    const HertzContact hertz = hertz_contact(4.0, 2.5, 800.0, modulus);
    const std::string surface = kGrid + kQuadratic;
    const auto number = [](double value) { return fmt::format(" {}d-6 ", value * 1e6); };
    for (const std::string& form :
         {"-1\n 12 10" + number(hertz.curvature_x) + number(hertz.curvature_y) + "1.2\n",
          "-2\n 12 10" + number(hertz.curvature_x) + " 1.6 1.2\n",
          std::string("-3\n 12 10 4. 2.5 1.2\n")}) {
      CAPTURE(form);
      for (const std::string& load :
           {std::string("203100"), std::string("203000")}) {  // the force, the approach
        const std::string text = edited(edited(kRolling, "203100", load), "800.",
                                        load == "203100" ? "800." : number(hertz.approach));
        const ContactProblem problem = problem_of(edited(text, surface, form));
        const auto& shape = std::get<QuadraticShape>(problem.geometry.at(0));
        const auto relative = doctest::Approx(1.0).epsilon(1e-12);
        CHECK(shape.xx / hertz.curvature_x == relative);
        CHECK(shape.yy / hertz.curvature_y == relative);
        CHECK(problem.grid.dx * 12.0 / 9.6 == relative);
        CHECK(problem.grid.dy * 10.0 / 6.0 == relative);
        CHECK(problem.grid.x0 / -4.8 == relative);
        CHECK(problem.grid.y0 / -3.0 == relative);
      }
    }
  }

  TEST_CASE("CONTACT input: IPOTCN -4, -5 are plane contact over a width [Johnson1985, ch. 4]") {
    // a^2 = 4 R F'/(pi E*) with R = 1/(2 A); the grid's rows fill the width as far as they may.
    const double modulus = combine({400.0, 0.25}, {500.0, 0.35}).contact_modulus();
    const double load = 800.0 / 20.0;
    const double a = 1.5;
    const double curvature = 2.0 * load / (std::numbers::pi * modulus * a * a);
    const std::string surface = kGrid + kQuadratic;
    for (const std::string& form : {fmt::format("-4\n 12 10 {} 10. 1.25\n", curvature),
                                    std::string("-5\n 12 10 1.5 10. 1.25\n")}) {
      const ContactProblem problem = problem_of(edited(kRolling, surface, form));
      const auto& shape = std::get<QuadraticShape>(problem.geometry.at(0));
      CHECK(shape.xx == doctest::Approx(curvature).epsilon(1e-12));
      CHECK(shape.yy == 0.0);
      CHECK(problem.grid.dx == doctest::Approx(2.0 * 1.25 * 1.5 / 12.0).epsilon(1e-12));
      CHECK(problem.grid.dy == doctest::Approx(20.0 / 8.0).epsilon(1e-12));  // 8 of 10 rows
      CHECK(problem.grid.y0 == doctest::Approx(-12.5).epsilon(1e-12));
    }
  }

  TEST_CASE("CONTACT input: IBASE 2, 3 and 9 give the distance at every element") {
    const auto centre = [](int ix, int iy) {
      return std::array{-6.0 + (ix + 0.5), -4.0 + 0.8 * (iy + 0.5)};
    };
    struct Example {
      std::string lines;
      double (*distance)(double x, double y);
    };
    std::string values = " 9 1\n";
    for (int i = 0; i < 120; ++i) values += fmt::format(" {}.\n", i % 12 + 100 * (i / 12));
    const std::vector<Example> examples{
        {" 2 1\n 2 0.5 50. -1. 2. NN, XM, RM, Y1, DY1\n 0.1 0.3\n",  // one straight line
         [](double x, double y) { return (x - 0.5) * (x - 0.5) / 100.0 + 0.1 + 0.1 * (y + 1.0); }},
        {" 2 1\n 3 0.5 50. -1. 1.\n 0.4 0. 0.2\n",  // a bend at y = 0
         [](double x, double y) {
           return (x - 0.5) * (x - 0.5) / 100.0 + (y < 0.0 ? -0.4 * y : 0.2 * y);
         }},
        {" 3 1\n 0.1 2. 0.3 0.05 3. -0.4\n 50. 70.\n",
         [](double x, double y) {
           return 0.1 * std::sin(2.0 * (x - 0.3)) - 0.05 * std::sin(3.0 * (x + 0.4)) +
                  x * x / 50.0 + y * y / 70.0;
         }},
        {values, [](double x, double y) {
           return std::round(x + 5.5) + 100.0 * std::round((y + 3.6) / 0.8);
         }}};
    for (const auto& [lines, distance] : examples) {
      CAPTURE(lines);
      const ContactProblem problem = edited_problem(kQuadratic, lines);
      const auto h = distance_of(problem);
      for (const auto& [ix, iy] : {std::array{0, 0}, {11, 0}, {3, 4}, {3, 5}, {11, 9}}) {
        const auto [x, y] = centre(ix, iy);
        CHECK(h[problem.grid.index(ix, iy)] == doctest::Approx(distance(x, y)).epsilon(1e-12));
      }
    }
  }

  TEST_CASE("CONTACT input: IPLAN 2 and 3 leave the distance inside, and infinite outside") {
    struct Example {
      std::string digit;
      std::string lines;
      bool (*inside)(double x, double y);
    };
    const std::vector<Example> examples{
        {"2", " 1. 0. 4. -2. 8. -11.\n",  // (x-1)^2 + 4 (y+1)^2 < 16: an ellipse
         [](double x, double y) { return (x - 1) * (x - 1) + 4 * (y + 1) * (y + 1) < 16.0; }},
        {"2", " 1. 1.5 4. 0. 0. -9.\n",  // a turned one
         [](double x, double y) { return x * x + 1.5 * x * y + 4 * y * y < 9.0; }},
        {"3", " -4. 0.2 -3. -1.\n -1. 3. -2.5 3.\n", [](double x, double y) {
           return (-4.0 <= x && x <= 0.2 && -3.0 <= y && y <= -1.0) ||
                  (-1.0 <= x && x <= 3.0 && -2.5 <= y && y <= 3.0);
         }}};
    const auto plain = distance_of(problem_of(kRolling));
    for (const auto& [digit, lines, inside] : examples) {
      CAPTURE(lines);
      const ContactProblem problem = problem_of(
          edited(kRolling, "  1 1                       IBASE", "  1 " + digit + " IBASE") + lines);
      const auto h = distance_of(problem);
      for (int iy = 0; iy < 10; ++iy)
        for (int ix = 0; ix < 12; ++ix) {
          const std::size_t i = problem.grid.index(ix, iy);
          const bool within = inside(problem.grid.x(ix), problem.grid.y(iy));
          CHECK(h[i] == (within ? plain[i] : std::numeric_limits<double>::infinity()));
        }
    }
  }

  TEST_CASE(
      "CONTACT input: cases that are not supported can be left out, and those that continue them") {
    // 1 steady; 2 with a layer between the bodies; 3 a shift from nothing; 4 with friction that
    // depends on the temperature; 5 continues from 4; 6 a shift from nothing.
    const auto shift = [](const std::string& first, const std::string& friction) {
      return " 3 MODULE\n " + first +
             "\n 022020\n 0000341\n 80 200 5 1 1e-6\n 800. 0.001 0. 0.\n " + friction +
             "\n 0.25 0.35 400. 500.\n" + kGrid + kQuadratic;
    };
    const std::string layer = edited(edited(shift("203100", "0.3 0.3"), "022020", "022420"),
                                     " 0.25 0.35", " 0. 1. 3000.\n 0.25 0.35");
    const std::string text =
        shift("201100", "0.3 0.3") +
        edited(layer, " 0.25 0.35 400. 500.\n", " 0.25 0.35 400. 500.\n 400. 1. 0. 0.\n") +
        shift("201100", "0.4 0.4") +
        edited(shift("201100", "0.3 100. 0.1 0."), "022020", "622020") +
        shift("001100", "0.3 0.3") + shift("201100", "0.5 0.5");
    const TemporaryFolder folder;
    const auto file =
        folder.write("a.inp", edited(text, "0.3 100. 0.1 0.", "0.3 100. 0.1 0.\n 0. 0.") + kEnd);
    const ConvertedInput input = convert_contact_input(file, {}, Unsupported::skip);
    REQUIRE(input.skipped.size() == 3);
    const std::vector<int> numbers = {input.skipped[0].number, input.skipped[1].number,
                                      input.skipped[2].number};
    CHECK(numbers == std::vector{2, 4, 5});
    CHECK(input.skipped[0].first_line == 14);
    CHECK(input.skipped[0].reasons.front().find(
              "a.inp:15:5: M = 4: a layer between the bodies is not supported") !=
          std::string::npos);
    CHECK(input.skipped[2].reasons.front().find(
              "P = 0: continues from the tractions of a case that is not converted") !=
          std::string::npos);
    REQUIRE(input.cases.size() == 3);
    const std::vector<int> first = {input.cases[0].first_case, input.cases[1].first_case,
                                    input.cases[2].first_case};
    CHECK(first == std::vector{1, 3, 6});
    for (const ConvertedCase& one : input.cases)
      CHECK(read_converted(one).problem.steps.size() == 1);
    CHECK_THROWS_WITH_AS(convert_contact_input(file, {}),
                         doctest::Contains("4 of 6 cases are supported: --skip-unsupported "
                                           "converts these, --cases 1 some of them"),
                         CaseError);
  }

  TEST_CASE("CONTACT input: what cannot be read leaves the cases before it, where asked for") {
    const std::string steady =
        " 3 MODULE\n 223100\n 022320\n 0000341\n 80 200 5 1 1e-6\n"
        " 800. 0.001 0. 0.\n 0.3 0.3\n 0. 1. 3000.\n 0.25 0.35 400. 500.\n"
        " 1. 1. 1.\n -3\n 4 3 2. 1. 1.1\n";
    const TemporaryFolder folder;
    const auto file = folder.write("a.inp", steady + " 1 MODULE\n 1200100\n");
    const ConvertedInput input = convert_contact_input(file, {}, Unsupported::skip);
    CHECK(input.cases.size() == 1);
    REQUIRE(input.skipped.size() == 1);
    CHECK(input.skipped[0].rest_of_file);
    CHECK(input.skipped[0].first_line == 13);
    CHECK_THROWS_WITH_AS(
        convert_contact_input(file, {}),
        doctest::Contains("What comes before can be converted: --skip-unsupported, or --cases 1"),
        CaseError);
    const auto nothing = folder.write("b.inp", " 1 MODULE\n 1200100\n");
    CHECK_THROWS_WITH_AS(convert_contact_input(nothing, {}, Unsupported::skip),
                         doctest::Contains("wheel-rail contact (module 1)"), CaseError);
    const auto wrong = folder.write("c.inp", edited(steady, "0.3 0.3", "-.3 0.3") + kEnd);
    CHECK_THROWS_WITH_AS(convert_contact_input(wrong, {}, Unsupported::skip),
                         doctest::Contains("FSTAT"), CaseError);
  }
}

}  // namespace slipfield
