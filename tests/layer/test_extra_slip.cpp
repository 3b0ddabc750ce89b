// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "solver/error.h"
#include "solver/problem_check.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

constexpr ElasticBody kSlippingSteel{82000.0, 0.28};

// CONTACT's example conformal: a wheel's flange root on a rail's gauge corner, distance at abs(y) =
// 0, .4, .. 7.6 mm.
constexpr std::array<double, 20> kConformal{
    -0.09088600, -0.09065786, -0.08997365, -0.08883393, -0.08723969, -0.08519227, -0.08269341,
    -0.07974523, -0.07635024, -0.07251131, -0.06823168, -0.06351499, -0.05836522, -0.05278672,
    -0.04678420, -0.04036271, -0.03352765, -0.02628477, -0.01864015, -0.01060019};

ContactProblem conformal() {
  const Grid grid{51, 39, 0.4, 0.4, -10.2, -7.8};
  HeightsShape shape;
  shape.of = HeightsOf::distance;
  std::vector<double> x_slip;
  std::vector<double> y_slip;
  const double quarter = test::kPi / 4.0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double x = grid.x(ix);
      const auto place = static_cast<std::size_t>(std::lround(std::abs(grid.y(iy)) / 0.4));
      shape.values.push_back(kConformal[place] + 0.000768594 * x * x);
      const double turned = quarter - grid.y(iy) / 10.1;
      x_slip.push_back(-0.004 - 10.1 * (std::cos(quarter) - std::cos(turned)) / 460.0);
      y_slip.push_back(-0.014 * std::cos(turned) - x / 460.0 * std::sin(turned));
    }
  }
  ContactProblem problem =
      test::normal_problem(grid, kSlippingSteel, shape, NormalControl::approach, 0.0);
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.3;
  Tangential& tangential = step.tangential;
  tangential.problem = TangentialProblem::steady_rolling;
  tangential.step = 0.4;
  tangential.velocity = 30000.0;
  tangential.extra = {std::make_shared<const std::vector<double>>(x_slip),
                      std::make_shared<const std::vector<double>>(y_slip)};
  return problem;
}

ContactProblem slipping_ball(int n) {
  const double modulus = kSlippingSteel.shear_modulus / (1.0 - kSlippingSteel.poisson_ratio);
  ContactProblem problem =
      test::normal_problem(test::centred_grid(n, n - 1, 1.2, 1.2), kSlippingSteel,
                           SphereShape{100.0}, NormalControl::force, 4.0 / 3.0 * modulus / 100.0);
  test::set_motion(problem, 0.3, TangentialProblem::steady_rolling, -1.1e-3, 0.6e-3, 0.7e-3);
  return problem;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("extra slip: a uniform one is a creepage, a turning one is spin") {
    ContactProblem problem = slipping_ball(14);
    const auto expected = test::solve(problem);
    Tangential& tangential = problem.steps[0].tangential;
    const Grid& grid = problem.grid;
    std::vector<double> x(grid.count());
    std::vector<double> y(grid.count());
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        x[grid.index(ix, iy)] = tangential.x.value - tangential.rotation * grid.y(iy);
        y[grid.index(ix, iy)] =
            tangential.y.value + tangential.rotation * (grid.x(ix) + tangential.step / 6.0);
      }
    }
    tangential.x.value = tangential.y.value = tangential.rotation = 0.0;
    tangential.extra = {std::make_shared<const std::vector<double>>(x),
                        std::make_shared<const std::vector<double>>(y)};
    test::check_equal(expected, test::solve(problem), 1.0e-6);  // both solved to 1e-8
    tangential.extra.y = std::make_shared<const std::vector<double>>(3, 0.0);
    CHECK_THROWS_WITH_AS(make_cpu_solver(problem),
                         "steps[0].tangential.extra_y: has 3 numbers for 182 elements; accepted: "
                         "one for each element, x fastest",
                         InputError);
  }

  TEST_CASE("extra slip: to second order it has its part in the friction work") {
    ContactProblem problem = slipping_ball(14);
    problem.solver.rolling = RollingScheme::second_order;
    const StepReport expected = test::solve(problem).report;
    Tangential& tangential = problem.steps[0].tangential;
    const auto everywhere = [&](double value) {
      return std::make_shared<const std::vector<double>>(problem.grid.count(), value);
    };
    tangential.extra = {everywhere(0.7 * tangential.x.value), everywhere(tangential.y.value)};
    tangential.x.value *= 0.3;
    tangential.y.value = 0.0;
    const StepReport found = test::solve(problem).report;
    CHECK(found.force_x == test::near(expected.force_x, 1e-5));
    CHECK(found.friction_work == test::near(expected.friction_work, 1e-5));
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("extra slip: a conformal contact as CONTACT prints it, example conformal, case 4") {
    const auto [report, f] = test::solve(conformal());
    REQUIRE(report.outcome == Outcome::converged);
    // Half a unit of the last digit printed, and what heights of 1e-8 leave open.
    CHECK(std::abs(report.normal_force - 91840.0) <= 6.0);
    CHECK(std::abs(report.force_x - 10500.0) <= 6.0);
    CHECK(std::abs(report.force_y - 22510.0) <= 6.0);
    CHECK(std::abs(report.moment_z - 32270.0) <= 6.0);
    CHECK(std::abs(report.friction_work * 30000.0 / 0.4 / 1000.0 + 9726.0) <= 0.6);
    CHECK(report.elements_contact == 871);
    CHECK(report.elements_slip == 871);
  }
}

}  // namespace slipfield
