// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"
#include "tests/support/rolling_ellipse.h"

namespace slipfield {
namespace {

using test::kPi;
using test::rolling_ellipse;

// With creepages, spin and the estimate, on a grid of mx x my elements.
ContactProblem creeping_ellipse(int mx, int my) {
  ContactProblem problem = rolling_ellipse(24, RollingScheme::first_order);
  problem.grid = test::centred_grid(mx, my, 1.3 * 2.0, 1.3 * 1.5);
  Tangential& t = problem.steps[0].tangential;
  t.step = problem.grid.dx;
  t.x.value = 2.0e-4;
  t.y.value = -1.0e-4;
  t.rotation = 1.0e-4;
  problem.error_estimate = true;
  return problem;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE(
      "error estimate: of random ellipses the true error is within twice the bar, of either "
      "scheme, in nineteen of twenty") {
    test::Random random(7);
    int within = 0;
    int all = 0;
    for (int k = 0; k < 10; ++k) {
      ContactProblem problem = rolling_ellipse(24, RollingScheme::second_order);
      Tangential& t = problem.steps[0].tangential;
      const double size = std::pow(10.0, random.uniform(-4.3, -3.3));
      const double angle = random.uniform(0.0, 2.0 * kPi);
      t.x.value = size * std::cos(angle);
      t.y.value = size * std::sin(angle);
      t.rotation = random.uniform(-1.5e-4, 1.5e-4);
      ContactProblem finer = problem;
      finer.grid = test::centred_grid(96, 96, 1.15 * 2.0, 1.15 * 1.5);
      finer.steps[0].tangential.step = finer.grid.dx;
      const StepReport truth = test::solve(finer).report;
      problem.error_estimate = true;
      for (const RollingScheme scheme : {RollingScheme::first_order, RollingScheme::second_order}) {
        problem.solver.rolling = scheme;
        const StepReport report = test::solve(problem).report;
        REQUIRE(report.error);
        const double per_step = finer.grid.dx / problem.grid.dx;
        const std::array<std::array<double, 3>, 4> totals = {
            {{report.force_x, truth.force_x, report.error->force_x},
             {report.force_y, truth.force_y, report.error->force_y},
             {report.moment_z, truth.moment_z, report.error->moment_z},
             {report.friction_work * per_step, truth.friction_work,
              report.error->friction_work * per_step}}};
        for (const auto& [value, exact, bar] : totals) {
          ++all;
          if (std::abs(value - exact) <= 2.0 * bar) ++within;
        }
        CHECK(report.error->creepage_x == 0.0);  // prescribed
      }
    }
    MESSAGE(within, " of ", all);
    CHECK(within >= 0.95 * all);
  }

  TEST_CASE("error estimate: of unlike bodies the friction work counts what the pressure loses") {
    ContactProblem problem = creeping_ellipse(24, 24);
    problem.lower.poisson_ratio = problem.upper.poisson_ratio - 0.03;
    const StepReport report = test::solve(problem).report;
    REQUIRE(report.error);
    REQUIRE(report.surface.rolling_resistance);
    problem = creeping_ellipse(72, 72);
    problem.lower.poisson_ratio = problem.upper.poisson_ratio - 0.03;
    const StepReport finer = test::solve(problem).report;
    // Per distance, as the finer grid has it and as forces and resistance do.
    const double dq = problem.steps[0].tangential.step;
    const double by_slip = finer.friction_work / dq;
    const double by_forces = finer.force_x * finer.rigid_x + finer.force_y * finer.rigid_y +
                             finer.moment_z * finer.rotation - *finer.surface.rolling_resistance;
    const double coarse = report.friction_work / (3.0 * dq);
    const double bar = report.error->friction_work / (3.0 * dq);
    CHECK(std::abs(by_slip - by_forces) < 0.5 * std::abs(coarse - by_forces));
    CHECK(std::abs(coarse - by_forces) > 0.1 * std::abs(by_forces));
    CHECK(std::abs(coarse - by_slip) <= 2.0 * bar);
    CHECK(std::abs(coarse - by_forces) <= 2.0 * bar);
  }

  TEST_CASE("error estimate: of viscoelastic bodies the loss of pressure is none of the slip's") {
    ContactProblem problem = creeping_ellipse(24, 24);
    problem.upper.creep = problem.lower.creep = {{0.5, 0.001}};
    Tangential& t = problem.steps[0].tangential;
    t.velocity = 1000.0;
    for (double* motion : {&t.x.value, &t.y.value, &t.rotation}) *motion *= 0.05;
    const StepReport report = test::solve(problem).report;
    REQUIRE(report.error);
    REQUIRE(report.surface.rolling_resistance);
    const double lost = *report.surface.rolling_resistance * problem.steps[0].tangential.step;
    CHECK(lost > 10.0 * std::abs(report.friction_work));
    CHECK(report.error->friction_work < 0.2 * lost);
  }

  TEST_CASE("error estimate: a coefficient so great that nothing slips leaves the bars small") {
    ContactProblem problem = rolling_ellipse(24, RollingScheme::first_order);
    problem.steps[0].tangential.x.value = 1.0e-4;
    problem.steps[0].tangential.y.value = -2.0e-4;
    problem.steps[0].tangential.rotation = 1.0e-4;
    problem.error_estimate = true;
    for (const double coefficient : {3.0, 1.0e3, 1.0e6}) {
      CAPTURE(coefficient);
      problem.steps[0].friction.coefficient = coefficient;
      const StepReport report = test::solve(problem).report;
      REQUIRE(report.error);
      const double force = std::hypot(report.force_x, report.force_y);
      CHECK(report.error->force_x < 0.2 * force);
      CHECK(report.error->force_y < 0.2 * force);
    }
  }

  TEST_CASE("error estimate: the mirrored contact has the same, whatever the counts of elements") {
    for (const int mx : {24, 25, 27})
      for (const int my : {24, 25, 27}) {
        CAPTURE(mx);
        CAPTURE(my);
        ContactProblem problem = creeping_ellipse(mx, my);
        problem.grid.x0 += 0.3 * problem.grid.dx;  // no contact is its own mirror image
        problem.grid.y0 -= 0.2 * problem.grid.dy;
        const Tangential& t = problem.steps[0].tangential;
        const auto errors = [](const ContactProblem& given) {
          const StepReport report = test::solve(given).report;
          REQUIRE(report.error);
          const DiscretisationError& error = *report.error;
          return std::array{error.force_x, error.force_y, error.moment_z, error.friction_work};
        };
        const auto here = errors(problem);
        ContactProblem across = problem;
        across.grid.y0 = -(problem.grid.y0 + my * problem.grid.dy);
        across.steps[0].tangential.y.value = -t.y.value;
        across.steps[0].tangential.rotation = -t.rotation;
        ContactProblem along = problem;
        along.grid.x0 = -(problem.grid.x0 + mx * problem.grid.dx);
        along.steps[0].tangential.direction = kPi;
        along.steps[0].tangential.x.value = -t.x.value;
        along.steps[0].tangential.rotation = -t.rotation;
        for (const ContactProblem& mirrored : {across, along}) {
          const auto there = errors(mirrored);
          // Twins solved to 1e-4 by the same steps.
          for (std::size_t i = 0; i < here.size(); ++i)
            CHECK(there[i] == test::near(here[i], 1e-4));
        }
      }
  }

  // Both coarse grids change places, up to their tolerance of 1e-4.
  TEST_CASE("error estimate: it does not depend on the element at which the contact begins") {
    ContactProblem problem = creeping_ellipse(27, 26);
    const StepReport here = test::solve(problem).report;
    problem.grid.x0 -= problem.grid.dx;
    problem.grid.y0 += problem.grid.dy;
    const StepReport moved = test::solve(problem).report;
    REQUIRE(here.error);
    REQUIRE(moved.error);
    for (double DiscretisationError::*of :
         {&DiscretisationError::force_x, &DiscretisationError::force_y,
          &DiscretisationError::moment_z, &DiscretisationError::friction_work}) {
      REQUIRE((*here.error).*of > 0.0);
      CHECK((*moved.error).*of == test::near((*here.error).*of, 0.02));
    }
  }
}

}  // namespace slipfield
