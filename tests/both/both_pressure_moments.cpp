// SPDX-License-Identifier: Apache-2.0
// Moments of the pressure about the grid's axes and the centre of pressure, on either backend.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

const ElasticBody kSteelLike{1.0, 0.3};
constexpr double kModulus = 1.0 / (1.0 - 0.3);  // E* of two such bodies

SurfaceNumbers numbers_of(const ContactProblem& problem) {
  const Solved solved = solve_under_test(problem);
  REQUIRE(solved.report.outcome == Outcome::converged);
  return solved.report.surface;
}

// A paraboloid with its summit at (x, y) under the force 0.001.
ContactProblem ball_at(double x, double y) {
  const QuadraticShape ball{0.05, 0.0, 0.05, -0.1 * x, -0.1 * y, 0.05 * (x * x + y * y)};
  return normal_problem({31, 25, 0.02, 0.03, -0.31, -0.375}, kSteelLike, ball, NormalControl::force,
                        0.001, 1e-10);
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("pressure moments: a tilted circular punch has 4/3 E* a^3 times its tilt") {
    constexpr double kTilt = 1e-3;
    const double radius = 1.0;
    ContactProblem problem = normal_problem(centred_grid(128, 128, 1.02, 1.02), kSteelLike,
                                            QuadraticShape{0.0, 0.0, 0.0, kTilt, -2.0 * kTilt},
                                            NormalControl::approach, 0.01, 1e-8);
    problem.geometry.emplace_back(PlanformShape{EllipseOutline{radius, radius}});
    const SurfaceNumbers found = numbers_of(problem);
    const double unit = 4.0 / 3.0 * kModulus * kTilt;
    const double force = 2.0 * kModulus * radius * 0.01;
    // h rises with x: the pressure is greater at x < 0. An outline of squares of a/63.
    CHECK(found.moment_y.value() == near(unit, 0.02));
    CHECK(found.moment_x.value() == near(2.0 * unit, 0.02));
    CHECK(found.pressure_centre_x.value() == near(-unit / force, 0.02));
    CHECK(found.pressure_centre_y.value() == near(2.0 * unit / force, 0.02));
  }

  TEST_CASE("pressure moments: a ball presses where its summit is, and adhesion changes no sign") {
    // By whole elements: the pressure is symmetric about an element's centre.
    const double x = 4 * 0.02;
    const double y = -3 * 0.03;
    ContactProblem problem = ball_at(x, y);
    const SurfaceNumbers found = numbers_of(problem);
    CHECK(found.pressure_centre_x.value() == near(x, 1e-7));  // solved to 1e-10
    CHECK(found.pressure_centre_y.value() == near(y, 1e-7));
    CHECK(found.moment_x.value() == near(y * 0.001, 1e-7));
    CHECK(found.moment_y.value() == near(-x * 0.001, 1e-7));
    problem.adhesion = {.work = 1e-6, .length = 1e-3};
    problem.solver.tolerance = 1e-6;
    const Solved sticky = solve_under_test(problem);
    REQUIRE(sticky.report.outcome == Outcome::converged);
    REQUIRE(sticky.report.adhesive_force > 0.0);
    // The moment is that of the pressure alone, the adhesive stress not taken off. The border of
    // the grid cuts the stress that draws the surfaces together, more on one side.
    const double pressed = sticky.report.normal_force + sticky.report.adhesive_force;
    CHECK(sticky.report.surface.pressure_centre_x.value() == near(x, 3e-3));
    CHECK(sticky.report.surface.moment_y.value() == near(-x * pressed, 3e-3));
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("pressure moments: sums over the pressures, on the mirrored side with the other sign") {
    ContactProblem problem = normal_problem(centred_grid(27, 22, 0.7, 0.6), kSteelLike,
                                            QuadraticShape{0.8, 0.1, 1.0, 0.02, -0.03},
                                            NormalControl::force, 0.05, 1e-9);
    set_motion(problem, 0.3, TangentialProblem::steady_rolling, 0.002, -0.001, 0.01);
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    const Grid& grid = problem.grid;
    double along_x = 0.0;
    double along_y = 0.0;
    double sum = 0.0;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) {
        const double p = solved.fields.pressure[grid.index(ix, iy)];
        sum += p;
        along_x += grid.x(ix) * p;
        along_y += grid.y(iy) * p;
      }
    const SurfaceNumbers& found = solved.report.surface;
    const double area = grid.element_area();
    CHECK(found.moment_x.value() == near(area * along_y, 1e-12));  // rounding
    CHECK(found.moment_y.value() == near(-area * along_x, 1e-12));
    CHECK(found.pressure_centre_x.value() == near(along_x / sum, 1e-12));
    CHECK(found.pressure_centre_y.value() == near(along_y / sum, 1e-12));

    problem.geometry = {QuadraticShape{0.8, -0.1, 1.0, 0.02, 0.03}};
    problem.steps[0].tangential.y.value *= -1.0;
    problem.steps[0].tangential.rotation *= -1.0;
    const SurfaceNumbers mirrored = numbers_of(problem);
    CHECK(*mirrored.moment_x == near(-*found.moment_x, 1e-6));  // two solutions
    CHECK(*mirrored.moment_y == near(*found.moment_y, 1e-6));
    CHECK(*mirrored.pressure_centre_y == near(-*found.pressure_centre_y, 1e-6));
  }

  TEST_CASE("pressure moments: none across a period, and no centre without contact") {
    ContactProblem problem = ball_at(0.0, 0.0);
    problem.geometry = {QuadraticShape{0.05}};
    problem.grid.boundary = Boundary::periodic_y;
    const SurfaceNumbers periodic = numbers_of(problem);
    CHECK(periodic.moment_y.has_value());
    CHECK(periodic.pressure_centre_x.has_value());
    CHECK_FALSE(periodic.moment_x.has_value());
    CHECK_FALSE(periodic.pressure_centre_y.has_value());
    ContactProblem apart = ball_at(0.0, 0.0);
    apart.steps[0].normal = {NormalControl::approach, -1.0};
    const SurfaceNumbers none = numbers_of(apart);
    CHECK(none.moment_x.value() == 0.0);
    CHECK_FALSE(none.pressure_centre_x.has_value());
  }
}
