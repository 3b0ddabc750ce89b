// SPDX-License-Identifier: Apache-2.0
// The turning moment prescribed, the rotation or the spin found with it, on either backend.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

const ElasticBody kSteel{1.0, 0.28};

// A ball on a plane, a = 1 for the force.
ContactProblem ball(int n, TangentialProblem kind, double friction) {
  const double modulus = kSteel.shear_modulus / (1.0 - kSteel.poisson_ratio);
  ContactProblem problem = normal_problem(centred_grid(n, n, 1.2, 1.2), kSteel, SphereShape{100.0},
                                          NormalControl::force, 4.0 / 3.0 * modulus / 100.0, 1e-9);
  StepInput& step = problem.steps[0];
  step.friction.coefficient = friction;
  step.tangential.problem = kind;
  step.tangential.step = problem.grid.dx;
  return problem;
}

// The rotation that was found, prescribed, and the moment left free.
ContactProblem with_rotation(const ContactProblem& problem, const StepReport& found) {
  ContactProblem other = problem;
  other.steps[0].tangential.moment.reset();
  other.steps[0].tangential.rotation = found.rotation;
  return other;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("moment: the spin found for it, prescribed, gives the same tractions back") {
    const auto check_kind = [](TangentialProblem kind, bool forces) {
      CAPTURE(forces);
      ContactProblem problem = ball(31, kind, 0.3);
      Tangential& tangential = problem.steps[0].tangential;
      const double bound = 0.3 * problem.steps[0].normal.value;
      const bool rolls = kind != TangentialProblem::shift;
      tangential.x = {TangentialControl::rigid, rolls ? 4e-4 : 1e-3};
      tangential.y = {TangentialControl::rigid, rolls ? -3e-4 : -5e-4};
      if (forces) {
        tangential.x = {TangentialControl::force, -0.4 * bound};
        tangential.y = {TangentialControl::force_ratio, 0.3};
      }
      tangential.moment = 0.12 * bound;
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.moment_z == near(0.12 * bound, 1e-7));  // tolerance
      CHECK(solved.report.elements_slip > 0);
      if (forces) CHECK(solved.report.force_x == near(-0.4 * bound, 1e-7));
      CHECK(std::abs(solved.report.rotation) > 0.0);
      // 100 times the tolerance: both stop at 1e-9 of the tractions.
      check_equal(solve_under_test(with_rotation(problem, solved.report)), solved, 1e-7);
    };
    for (const bool forces : {false, true}) {
      check_kind(TangentialProblem::steady_rolling, forces);
      check_kind(TangentialProblem::transient_rolling, forces);
      check_kind(TangentialProblem::shift, forces);
    }
  }

  TEST_CASE("moment: a coarse start, second order and viscoelastic bodies also find it") {
    ContactProblem problem = ball(64, TangentialProblem::steady_rolling, 0.3);
    Tangential& tangential = problem.steps[0].tangential;
    const double bound = 0.3 * problem.steps[0].normal.value;
    tangential.y.value = -5e-4;
    tangential.moment = -0.1 * bound;
    tangential.velocity = 100.0;
    const auto check_solved = [&](const ContactProblem& other) {
      const Solved solved = solve_under_test(other);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.moment_z == near(-0.1 * bound, 1e-7));
    };
    check_solved(problem);
    ContactProblem second = problem;
    second.solver.rolling = RollingScheme::second_order;
    second.solver.tolerance = 1e-6;
    REQUIRE(solve_under_test(second).report.outcome == Outcome::converged);
    problem.upper.creep = {{0.5, 0.005}};
    check_solved(problem);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("moment: 0 gives a symmetric contact no spin, a ball with lateral creepage a spin") {
    ContactProblem problem = ball(25, TangentialProblem::steady_rolling, 0.3);
    Tangential& tangential = problem.steps[0].tangential;
    tangential.moment = 0.0;
    tangential.x.value = 5e-4;
    const Solved along = solve_under_test(problem);
    REQUIRE(along.report.outcome == Outcome::converged);
    CHECK(std::abs(along.report.rotation) <= 1e-8 * 5e-4);  // over a = 1, to the tolerance
    tangential.x.value = 0.0;
    tangential.y.value = 5e-4;
    const Solved aside = solve_under_test(problem);
    REQUIRE(aside.report.outcome == Outcome::converged);
    const double bound = 0.3 * problem.steps[0].normal.value;
    CHECK(std::abs(aside.report.moment_z) <= 1e-8 * bound);
    // A lateral creepage alone turns the ball by C23: free, it spins until that is gone.
    tangential.moment.reset();
    const Solved held = solve_under_test(problem);
    CHECK(std::abs(held.report.moment_z) > 0.01 * bound);
    CHECK(std::abs(aside.report.rotation) > 1e-4);
  }

  TEST_CASE("moment: a twist in adhesion is Reissner and Sagoci's, 3 M/(8 G a^3) for two bodies") {
    ContactProblem problem = ball(61, TangentialProblem::shift, 5.0);
    const double moment = 1e-6;
    problem.steps[0].tangential.moment = moment;
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    // The circle is cut into squares of a/25.
    CHECK(solved.report.rotation == near(-3.0 * moment / 8.0, 0.02));
  }

  TEST_CASE("moment: on one row, up to the limit of friction and across a creepage, it is met") {
    const Grid row{40, 1, 0.06, 10.0, -1.2, -5.0};
    ContactProblem problem = normal_problem(row, {82000.0, 0.28}, QuadraticShape{0.01},
                                            NormalControl::force, 5000.0, 1e-7);
    problem.steps[0].friction.coefficient = 0.3;
    Tangential& tangential = problem.steps[0].tangential;
    tangential.problem = TangentialProblem::steady_rolling;
    tangential.step = row.dx;
    tangential.y.value = 5e-3;
    // Friction carries 337; newton alone does not find these.
    for (const double moment : {250.0, 336.5, -250.0, -336.5}) {
      tangential.moment = moment;
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.moment_z == near(moment, 2e-7));  // the tolerance
    }
  }

  TEST_CASE("moment: more than friction carries is reported, not searched for") {
    ContactProblem problem = ball(25, TangentialProblem::shift, 0.3);
    const double force = problem.steps[0].normal.value;
    // sum g r of Hertz's pressure: 3 pi/16 mu F_n a, of which the grid cuts off little.
    const double most = 3.0 * kPi / 16.0 * 0.3 * force;
    problem.steps[0].tangential.moment = 1.02 * most;
    const Solved beyond = solve_under_test(problem);
    CHECK(beyond.report.outcome == Outcome::not_converged);
    CHECK(beyond.report.message.find("the moment prescribed") == 0);
    problem.steps[0].tangential.moment = 0.9 * most;
    CHECK(solve_under_test(problem).report.outcome == Outcome::converged);
  }
}
