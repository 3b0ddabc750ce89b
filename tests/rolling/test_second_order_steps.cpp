// SPDX-License-Identifier: Apache-2.0
// Rolling to second order from step to step.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "tests/support/oracle_contact.h"
#include "tests/support/rolling_ellipse.h"

namespace slipfield {

TEST_SUITE("oracle") {
  TEST_CASE("second order: steady steps do not depend on the steps before them") {
    for (const double softer : {1.0, 4.0}) {
      CAPTURE(softer);
      ContactProblem problem = test::rolling_ellipse(36, RollingScheme::second_order);
      problem.upper.shear_modulus /= softer;
      const auto solver = make_cpu_solver(problem);
      REQUIRE(solver->advance(problem.steps[0]).outcome == Outcome::converged);
      StepInput& wet = problem.steps[0];
      wet.friction.coefficient = 0.05;
      wet.tangential.x.value *= -0.4;
      const StepReport alone = test::solve(problem).report;
      // Corrections end where they change the tractions by 2e-3.
      const double close = 5.0e-4 * 0.05 * alone.normal_force;
      for (int k = 0; k < 4; ++k) {
        const StepReport after = solver->advance(wet);
        CHECK(std::abs(after.force_x - alone.force_x) <= close);
        CHECK(std::abs(after.force_y - alone.force_y) <= close);
        CHECK(std::abs(after.moment_z - alone.moment_z) <= 2.0 * close);  // a is 2
      }
    }
  }

  TEST_CASE("second order: wherever the leading edge cuts its elements") {
    // First-order solutions of 512 and 1024 elements squared, extrapolated.
    constexpr double kForce = -0.6251;  // over mu F_n
    constexpr double kMoment = -4.754e4;
    for (const double margin : {1.06, 1.08, 1.1, 1.12, 1.14}) {
      CAPTURE(margin);
      ContactProblem problem = test::balanced_spin(64, 1.0, margin);
      problem.solver.rolling = RollingScheme::second_order;
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.outcome == Outcome::converged);
      const double bound = report.friction_coefficient * report.normal_force;
      CHECK(std::abs(report.force_y / bound - kForce) <= 1.2e-3);
      CHECK(std::abs(report.moment_z / kMoment - 1.0) <= 2.0e-3);
    }
  }

  TEST_CASE("second order: friction and motion times a factor give forces times that factor") {
    ContactProblem problem = test::rolling_ellipse(32, RollingScheme::second_order);
    const StepReport dry = test::solve(problem).report;
    StepInput& step = problem.steps[0];
    constexpr double kPart = 0.03;
    step.friction.coefficient *= kPart;
    for (double* motion :
         {&step.tangential.x.value, &step.tangential.y.value, &step.tangential.rotation})
      *motion *= kPart;
    const StepReport wet = test::solve(problem).report;
    const double close = 1.0e-5 * 0.3 * dry.normal_force;
    CHECK(std::abs(wet.force_x / kPart - dry.force_x) <= close);
    CHECK(std::abs(wet.force_y / kPart - dry.force_y) <= close);
    CHECK(std::abs(wet.moment_z / kPart - dry.moment_z) <= 2.0 * close);
  }

  // newton follows the whole law in each round of corrections.
  TEST_CASE("second order: with falling friction within a few rounds, and near a fine grid") {
    for (const FrictionLaw law :
         {FrictionLaw::exponential, FrictionLaw::rational, FrictionLaw::linear_falling}) {
      CAPTURE(static_cast<int>(law));
      const auto report = [law](int n, RollingScheme scheme) {
        ContactProblem problem = test::rolling_ellipse(n, scheme);
        StepInput& step = problem.steps[0];
        step.friction.kinetic = 0.15;
        step.friction.law = law;
        step.friction.half_velocity = 2e-4;
        step.tangential.velocity = 1.0;
        return test::solve(problem).report;
      };
      const StepReport fine = report(96, RollingScheme::second_order);
      const StepReport first = report(32, RollingScheme::first_order);
      const StepReport second = report(32, RollingScheme::second_order);
      for (const StepReport* one : {&fine, &first, &second})
        REQUIRE(one->outcome == Outcome::converged);
      CHECK(second.message.empty());
      CHECK(second.iterations_outer <= 12);  // nine at most to settle, and some to the tolerance
      const auto error = [&](const StepReport& of) {
        return std::hypot(of.force_x - fine.force_x, of.force_y - fine.force_y);
      };
      CHECK(error(second) < 0.3 * error(first));
      CHECK(error(second) < 3.0e-3 * 0.3 * fine.normal_force);  // as with constant friction
    }
  }

  TEST_CASE("second order: transient steps after a fall of friction continue as to first order") {
    const auto after_fall = [](RollingScheme scheme, int falls, int steps) {
      ContactProblem problem = test::rolling_ellipse(24, scheme);
      StepInput& step = problem.steps[0];
      step.tangential.problem = TangentialProblem::transient_rolling;
      const auto solver = make_cpu_solver(problem);
      for (int k = 0; k < 20; ++k) solver->advance(step);
      for (int k = 1; k < falls; ++k) {
        step.friction.coefficient *= 0.4;
        solver->advance(step);
      }
      step.friction.coefficient *= falls > 1 ? 0.25 : 0.1;
      StepReport report;
      for (int k = 0; k < steps; ++k) report = solver->advance(step);
      return report;
    };
    for (const auto& [falls, steps] :
         {std::pair{1, 1}, {1, 2}, {1, 3}, {1, 6}, {2, 1}, {2, 2}, {2, 3}}) {
      CAPTURE(falls);
      CAPTURE(steps);
      const StepReport first = after_fall(RollingScheme::first_order, falls, steps);
      const StepReport second = after_fall(RollingScheme::second_order, falls, steps);
      // The schemes differ by their errors of some hundredths at 20 elements across.
      const double close = 0.06 * 0.03 * first.normal_force;
      CHECK(std::abs(second.force_x - first.force_x) <= close);
      CHECK(std::abs(second.force_y - first.force_y) <= close);
    }
  }
}

}  // namespace slipfield
