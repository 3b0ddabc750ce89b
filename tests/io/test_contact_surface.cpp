// SPDX-License-Identifier: Apache-2.0
// Surfaces in input files of CONTACT: Hertz's constants, and the undeformed distance at elements.
#include "io/contact/surface.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "solver/geometry.h"
#include "tests/support/contact_input_support.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

using test::edited;
using test::edited_problem;
using test::kGrid;
using test::kQuadratic;
using test::kRolling;
using test::problem_of;

std::vector<double> distance_of(const ContactProblem& problem) {
  return undeformed_distance(problem.geometry, problem.grid, combine(problem.upper, problem.lower));
}

}  // namespace

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
        const auto relative = test::near(1.0, 1e-12);
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
      CHECK(shape.xx == test::near(curvature, 1e-12));
      CHECK(shape.yy == 0.0);
      CHECK(problem.grid.dx == test::near(2.0 * 1.25 * 1.5 / 12.0, 1e-12));
      CHECK(problem.grid.dy == test::near(20.0 / 8.0, 1e-12));  // 8 of 10 rows
      CHECK(problem.grid.y0 == test::near(-12.5, 1e-12));
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
        CHECK(h[problem.grid.index(ix, iy)] == test::near(distance(x, y), 1e-12));
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
}

}  // namespace slipfield
