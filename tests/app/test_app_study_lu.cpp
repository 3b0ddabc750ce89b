// SPDX-License-Identifier: Apache-2.0
// What `slipfield bench` computes by itself: factors of the study, loads that friction cannot
// carry.
#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "app/bench/battery_problem.h"
#include "app/bench/lu.h"
#include "app/bench/sampled_residual.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

RowMajorMatrix random_matrix(int n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  RowMajorMatrix a(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = value(random) + (i == j ? n : 0.0);
  }
  return a;
}

// A shift under the moment, with force ratios where they are given.
StepInput loaded(double friction, double moment, std::optional<double> ratio_y) {
  StepInput step;
  step.friction.coefficient = friction;
  step.tangential.problem = TangentialProblem::shift;
  step.tangential.moment = moment;
  if (ratio_y) {
    step.tangential.x = {TangentialControl::force_ratio, 0.0};
    step.tangential.y = {TangentialControl::force_ratio, *ratio_y};
  }
  return step;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("Crout: the factors give the matrix back, one by one and as a fixed point in panels") {
    for (const int n : {1, 2, 31, 32, 33, 75}) {
      CAPTURE(n);
      for (const RowMajorMatrix& a : {random_matrix(n, 5), contact_matrix(n)}) {
        const RowMajorMatrix factors = crout(a);
        CHECK(crout_error(a, factors) <= 1e-14);
        const FixedPointFactors fixed = crout_fixed_point(a, 32, 1e-15, 65);
        CHECK(fixed.sweeps <= 65);
        CHECK((fixed.factors - factors).norm() <= 1e-12 * factors.norm());
      }
    }
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("battery: two elements carry what is left of friction by a force across their line") {
    // Elements of area 1 at x = -1 and 1, each under the force 2: M <= mu (4 - |F_y|/mu), arms of
    // 1.
    ContactProblem problem;
    problem.grid = {3, 1, 1.0, 1.0, -1.5, -0.5};
    const std::vector<double> pressure{2.0, 0.0, 2.0};
    constexpr double kFriction = 0.3;
    for (const double ratio : {0.0, 0.5, -0.8}) {
      const double most = kFriction * 4.0 * (1.0 - std::abs(ratio));
      for (const double sign : {-1.0, 1.0}) {
        CAPTURE(ratio);
        CAPTURE(sign);
        CHECK_FALSE(
            has_no_solution(problem, loaded(kFriction, 0.99 * sign * most, ratio), pressure));
        CHECK(has_no_solution(problem, loaded(kFriction, 1.01 * sign * most, ratio), pressure));
        // Without forces given all of the friction is there.
        CHECK_FALSE(has_no_solution(
            problem, loaded(kFriction, 0.99 * sign * kFriction * 4.0, std::nullopt), pressure));
      }
    }
  }

  TEST_CASE("battery: a disc under even pressure carries 2/3 mu F_n a about its centre") {
    constexpr int kElements = 61;
    ContactProblem problem;
    problem.grid = {kElements, kElements, 2.0 / kElements, 2.0 / kElements, -1.0, -1.0};
    const Grid& grid = problem.grid;
    std::vector<double> pressure(grid.count(), 0.0);
    double force = 0.0;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        if (std::hypot(grid.x(ix), grid.y(iy)) <= 1.0) {
          pressure[grid.index(ix, iy)] = 1.0;
          force += grid.element_area();
        }
    const double most = 2.0 / 3.0 * 0.5 * force;
    CHECK_FALSE(has_no_solution(problem, loaded(0.5, 0.98 * most, 0.0), pressure));  // elements
    CHECK(has_no_solution(problem, loaded(0.5, 1.02 * most, 0.0), pressure));
    CHECK(has_no_solution(problem, loaded(0.5, 0.98 * most, 0.5), pressure));
  }

  TEST_CASE("battery: the sampled residual knows a shear strength") {
    ContactProblem problem =
        test::normal_problem(test::centred_grid(15, 13, 1.2, 1.3), {1.0, 0.3}, SphereShape{100.0},
                             NormalControl::force, 4.0 / 300.0);
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 0.2;
    step.friction.shear_strength = 0.004;
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x.value = 0.006;
    step.tangential.y.value = -0.002;
    const test::Solved solved = test::solve(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    CHECK(solved.report.elements_slip > 5);
    CHECK(solved.report.elements_adhesion > 5);
    const auto residual_with = [&](double strength) {
      StepInput other = step;
      other.friction.shear_strength = strength;
      return sampled_residual(problem, other, {}, solved.fields, solved.report);
    };
    CHECK(residual_with(0.004) <= 100.0 * problem.solver.tolerance);
    CHECK(residual_with(0.005) > 0.01);
  }

  TEST_CASE("battery: the sampled residual knows how viscoelastic bodies are displaced or loaded") {
    constexpr double kForce = 4.0 / 300.0;
    for (const bool by_approach : {false, true})
      for (const bool by_shift : {false, true}) {
        CAPTURE(by_approach);
        CAPTURE(by_shift);
        ContactProblem problem =
            test::normal_problem(test::centred_grid(15, 13, 1.5, 1.6), {1.0, 0.3},
                                 SphereShape{100.0}, NormalControl::force, 0.4 * kForce);
        problem.upper.creep = {{0.45, 4.0}, {0.3, 0.05}};
        problem.lower.creep = {{0.75, 0.2}};
        StepInput& step = problem.steps[0];
        if (by_approach) step.normal = {NormalControl::approach, 0.01};
        step.friction.coefficient = 0.2;
        step.tangential.problem = TangentialProblem::shift;
        step.tangential.duration = 1.0;
        if (by_shift) {
          step.tangential.x.value = 0.001;
          step.tangential.y.value = -0.0005;
        } else {
          step.tangential.x = {TangentialControl::force_ratio, 0.6};
        }
        const test::Solved solved = test::solve(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        CHECK(solved.report.elements_slip > 5);
        CHECK(solved.report.elements_adhesion > 5);
        const auto residual_in = [&](double duration) {
          StepInput other = step;
          other.tangential.duration = duration;
          return sampled_residual(problem, other, {}, solved.fields, solved.report);
        };
        CHECK(residual_in(1.0) <= 100.0 * problem.solver.tolerance);
        CHECK(residual_in(1.1) > 0.002);
      }
  }
}

}  // namespace slipfield
