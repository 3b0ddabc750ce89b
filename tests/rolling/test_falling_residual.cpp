// SPDX-License-Identifier: Apache-2.0
// Friction that falls steeply with slip: the law in single elements, their slip by direct sums of
// the closed-form coefficients, which share nothing else with the solver (THEORY.md 8.2).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>

#include "solver/influence/influence_coefficients.h"
#include "solver/rolling.h"
#include "solver/tangential/element_law.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::Solved;

// A circle of radius 1 under p_max = 2/(pi (1 - nu) 100) in steady rolling at the velocity 1, G =
// 1. fall: V (mu_s - mu_k) p_max/(2 w_h G).
ContactProblem steep_problem(int n, FrictionLaw law, double fall) {
  ContactProblem problem =
      test::normal_problem(test::centred_grid(n, n, 1.2, 1.2), {1.0, 0.25}, SphereShape{100.0},
                           NormalControl::force, 4.0 / 3.0 / 0.75 / 100.0, 1e-7);
  const double greatest = 2.0 / (std::numbers::pi * 0.75 * 100.0);
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.3;
  step.friction.kinetic = 0.15;
  step.friction.law = law;
  step.friction.half_velocity = 0.15 * greatest / (2.0 * fall);
  step.tangential.problem = TangentialProblem::steady_rolling;
  step.tangential.x.value = 9e-4;
  step.tangential.y.value = 3e-4;
  step.tangential.rotation = 1e-4;
  step.tangential.step = problem.grid.dx;
  step.tangential.velocity = 1.0;
  return problem;
}

struct SlipVector {
  double x = 0.0;
  double y = 0.0;
};

// The rigid slip of the element (ix, iy), and its displacement less that one rolling step ahead.
SlipVector summed_slip(const ContactProblem& problem, const Solved& solved, int ix, int iy) {
  const Grid& grid = problem.grid;
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  const Tangential& motion = problem.steps[0].tangential;
  const double dq = motion.step;
  SlipVector slip{dq * (solved.report.rigid_x - motion.rotation * grid.y(iy)),
                  dq * (solved.report.rigid_y + motion.rotation * (grid.x(ix) + dq / 6.0))};
  for (int jy = 0; jy < grid.my; ++jy) {
    for (int jx = 0; jx < grid.mx; ++jx) {
      const std::size_t j = grid.index(jx, jy);
      if (!(solved.fields.pressure[j] > 0.0)) continue;
      const auto step_of = [&](Component component) {
        const double x = grid.x(ix) - grid.x(jx);
        const double y = grid.y(iy) - grid.y(jy);
        return influence_coefficient(component, x, y, grid.dx, grid.dy, material) -
               influence_coefficient(component, x + dq, y, grid.dx, grid.dy, material);
      };
      const double px = solved.fields.traction_x[j];
      const double py = solved.fields.traction_y[j];
      const double cross = step_of(Component::xy);
      slip.x += step_of(Component::xx) * px + cross * py;
      slip.y += cross * px + step_of(Component::yy) * py;
    }
  }
  return slip;
}

// The worst of every third element in contact.
struct LawResidual {
  double above_static = 0.0;      // |p| over mu_s p_n, less 1, everywhere
  double slip_in_adhesion = 0.0;  // over the greatest slip
  double off_the_law = 0.0;       // ||p| - mu(w) p_n| over mu_s p_n, in slip
  double not_opposite = 0.0;      // |p + |p| s/|s|| over mu_s p_n, in slip
  double greatest_fall = 0.0;     // of the coefficient
};

LawResidual law_residual(const ContactProblem& problem, const Solved& solved) {
  const Grid& grid = problem.grid;
  const StepInput& step = problem.steps[0];
  const SlidingLaw law = sliding_law(step.friction);
  LawResidual worst;
  double greatest_slip = 0.0;
  int seen = 0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      const double p = solved.fields.pressure[i];
      if (!(p > 0.0) || ++seen % 3 != 0) continue;
      const double bound = step.friction.coefficient * p;
      const double x = solved.fields.traction_x[i];
      const double y = solved.fields.traction_y[i];
      const double size = std::hypot(x, y);
      const SlipVector s = summed_slip(problem, solved, ix, iy);
      const double slip = std::hypot(s.x, s.y);
      test::grow(worst.above_static, size / bound - 1.0);
      if (solved.fields.element_division[i] == ElementState::adhesion) {
        test::grow(worst.slip_in_adhesion, slip);
        continue;
      }
      greatest_slip = std::max(greatest_slip, slip);
      const double coefficient = law.at(slip_rate(step.tangential) * slip);
      test::grow(worst.off_the_law, std::abs(size - coefficient * p) / bound);
      test::grow(worst.not_opposite,
                 std::hypot(x + size * s.x / slip, y + size * s.y / slip) / bound);
      test::grow(worst.greatest_fall, step.friction.coefficient - coefficient);
    }
  }
  worst.slip_in_adhesion /= greatest_slip;
  return worst;
}

constexpr std::array<FrictionLaw, 3> kSteepLaws{FrictionLaw::linear_falling, FrictionLaw::rational,
                                                FrictionLaw::exponential};

void check_law(const ContactProblem& problem, const Solved& solved) {
  REQUIRE(solved.report.outcome == Outcome::converged);
  CHECK(solved.report.elements_slip > solved.report.elements_contact / 4);
  CHECK(solved.report.elements_adhesion > solved.report.elements_contact / 20);
  const LawResidual worst = law_residual(problem, solved);
  // The tolerance is 1e-7 of all bounds; a single one with a small pressure is off by more.
  constexpr double kWorst = 1e-4;
  CHECK(worst.above_static <= 1e-12);
  CHECK(worst.slip_in_adhesion <= kWorst);
  CHECK(worst.off_the_law <= kWorst);
  CHECK(worst.not_opposite <= kWorst);
  CHECK(worst.greatest_fall >= 0.1);  // the law does something
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("slip of one element: the greatest root, of laws that are convex and that are not") {
    std::mt19937 random(7);
    const auto between = [&random](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    int several = 0;
    for (int k = 0; k < 2000; ++k) {
      CAPTURE(k);
      FallingBound falling;
      SlidingLaw& law = falling.law;
      law.law = kSteepLaws[static_cast<std::size_t>(k) % 3];
      law.fixed = between(0.3, 0.6);
      law.kinetic = between(0.05, 0.25);
      law.half_velocity = std::pow(10.0, between(-1.5, 1.0));
      law.second_drop = between(0.0, 1.0) * (law.fixed - law.kinetic);
      law.second_half_velocity = std::pow(10.0, between(-1.5, 1.0));
      falling.rate = 2.0;
      const double rho = std::pow(10.0, between(-1.5, 1.5));
      const double q = between(0.2, 1.5);
      const double slip = falling.slip_alone(1.0, rho, q);
      const auto left = [&](double s) { return law.at(falling.rate * s) + rho * s - q; };
      // From q/rho downwards in small parts: the first place that is not positive.
      constexpr int kParts = 20000;
      double last = q / rho;
      int changes = 0;
      double found = -1.0;
      for (int part = kParts - 1; part >= 0; --part) {
        const double s = q / rho * part / kParts;
        if ((left(s) > 0.0) != (left(last) > 0.0)) {
          if (++changes == 1) found = 0.5 * (s + last);
        }
        last = s;
      }
      if (changes > 1) ++several;
      if (found < 0.0) continue;  // a root between two places may be there all the same
      CHECK(slip >= found - 0.51 * q / rho / kParts);
      CHECK(std::abs(left(slip)) <= 1e-11 * q);  // rounding, times the slope's cancellation
    }
    CHECK(several > 100);  // such laws are among them
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("falling friction: a law that is not convex holds in each element") {
    for (const double second : {0.05, 0.3, 1.0, 3.0}) {
      CAPTURE(second);
      ContactProblem problem = steep_problem(24, FrictionLaw::rational, 0.8);
      Friction& friction = problem.steps[0].friction;
      friction.second_drop = 0.09;
      friction.second_half_velocity = second * friction.half_velocity;
      problem.solver.tolerance = 1e-9;
      const Solved solved = test::solve(problem);
      CHECK(solved.report.residual <= 1e-8);
      check_law(problem, solved);
    }
  }

  TEST_CASE("falling friction: steep laws hold in each element, from coarser grids and alone") {
    for (const FrictionLaw law : kSteepLaws) {
      CAPTURE(static_cast<int>(law));
      for (const int n : {24, 48}) {
        CAPTURE(n);
        const ContactProblem problem = steep_problem(n, law, n == 24 ? 1.5 : 1.2);
        const Solved solved = test::solve(problem);
        CHECK((solved.report.matrix_products_coarse > 0) == (n == 48));
        CHECK(solved.report.iterations_outer == 1);
        check_law(problem, solved);
      }
    }
  }

  TEST_CASE("falling friction: steep laws hold in each element under a prescribed force") {
    for (const FrictionLaw law : kSteepLaws) {
      CAPTURE(static_cast<int>(law));
      ContactProblem problem = steep_problem(32, law, 1.0);
      StepInput& step = problem.steps[0];
      step.tangential.x = {TangentialControl::force_ratio, -0.35};
      step.tangential.rotation = 0.0;
      const Solved solved = test::solve(problem);
      // ten times the tolerance
      CHECK(solved.report.force_x == test::near(-0.35 * 0.3 * solved.report.normal_force, 1e-6));
      check_law(problem, solved);
    }
  }
}

}  // namespace slipfield
