// SPDX-License-Identifier: Apache-2.0
// Steady rolling in every direction, by methods that order the elements and by those that do not.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/support/both_backends.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

// An ellipsoid off the centre, with creepages and spin; the same motion in each direction.
ContactProblem rolling_towards(double degrees, TangentialMethod method) {
  const double direction = degrees * kPi / 180.0;
  ContactProblem problem =
      normal_problem({25, 24, 0.028, 0.03, -0.34, -0.37}, {82000.0, 0.28},
                     EllipsoidShape{10.0, 6.0}, NormalControl::force, 200.0, 1e-9);
  problem.solver.tangential = method;
  StepInput& step = set_motion(problem, 0.3, TangentialProblem::steady_rolling, 1e-3, 5e-4, 4e-3);
  step.tangential.direction = direction;
  step.tangential.step = 0.028;
  return problem;
}

void check_sweeps(const ContactProblem& by_newton, double tolerance) {
  ContactProblem by_sweeps = by_newton;
  by_sweeps.solver.tangential = TangentialMethod::gauss_seidel;
  const StepReport newton = solve_under_test(by_newton).report;
  const StepReport sweeps = solve_under_test(by_sweeps).report;
  REQUIRE(newton.outcome == Outcome::converged);
  REQUIRE(sweeps.outcome == Outcome::converged);
  CHECK(newton.elements_slip > 20);
  CHECK(sweeps.iterations_tangential <= 300 * sweeps.iterations_outer);
  const double bound = 0.3 * newton.normal_force;
  CHECK(std::abs(sweeps.force_x - newton.force_x) <= tolerance * bound);
  CHECK(std::abs(sweeps.force_y - newton.force_y) <= tolerance * bound);
  CHECK(std::abs(sweeps.moment_z - newton.moment_z) <= tolerance * bound);  // a is 0.2
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("gauss_seidel: sweeps converge to newton's forces in every rolling direction") {
    std::vector<double> directions{-90.0, 1.0, 89.0, 91.0, 179.0, 181.0, 269.0, 271.0};
    for (int k = 0; k < 24; ++k) directions.push_back(15.0 * k);
    for (const double degrees : directions) {
      CAPTURE(degrees);
      check_sweeps(rolling_towards(degrees, TangentialMethod::newton), 1e-7);  // solved to 1e-9
    }
  }

  TEST_CASE("gauss_seidel: sweeps converge in second order along each axis") {
    for (const double degrees : {0.0, 90.0, 180.0, 270.0}) {
      CAPTURE(degrees);
      ContactProblem problem = rolling_towards(degrees, TangentialMethod::newton);
      problem.solver.rolling = RollingScheme::second_order;
      problem.steps[0].tangential.step = degrees == 90.0 || degrees == 270.0 ? 0.03 : 0.028;
      // The corrections are kept where they change the tractions by 2e-3, of which the tolerances
      // of the rounds leave a twentieth.
      check_sweeps(problem, 2e-4);
    }
  }
}
