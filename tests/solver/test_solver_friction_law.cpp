// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

constexpr std::array<FrictionLaw, 3> kFalling{FrictionLaw::linear_falling, FrictionLaw::rational,
                                              FrictionLaw::exponential};

Friction two_coefficients(double fixed, double kinetic, FrictionLaw law, double half_velocity) {
  Friction friction;
  friction.coefficient = fixed;
  friction.kinetic = kinetic;
  friction.law = law;
  friction.half_velocity = half_velocity;
  return friction;
}

// A ball on a plane: a = 1, F_n from Hertz.
ContactProblem ball(int n, const ElasticBody& upper, const ElasticBody& lower) {
  const CombinedMaterial material = combine(upper, lower);
  const double modulus = material.shear_modulus / (1.0 - material.poisson_ratio);
  ContactProblem problem =
      test::normal_problem(test::centred_grid(n, n, 1.2, 1.2), upper, SphereShape{100.0},
                           NormalControl::force, 4.0 / 3.0 * modulus / 100.0, 1e-8);
  problem.lower = lower;
  return problem;
}

Tangential rolling_at(double velocity, double creepage_x, double spin, double dx) {
  Tangential tangential;
  tangential.problem = TangentialProblem::steady_rolling;
  tangential.x.value = creepage_x;
  tangential.y.value = 0.3 * creepage_x;
  tangential.rotation = spin;
  tangential.step = dx;
  tangential.velocity = velocity;
  return tangential;
}

struct LawErrors {
  double traction = 0.0;       // |traction|/pressure against the law, the worst element that slips
  double greatest_fall = 0.0;  // of the coefficient
  int adhering = 0;            // elements whose traction was held against the bound
  int slipping = 0;            // elements whose traction was held against the law
};

LawErrors law_errors(const ContactProblem& problem, const ContactSolution& f) {
  const StepInput& step = problem.steps[0];
  const SlidingLaw sliding = sliding_law(step.friction);
  LawErrors errors;
  for (std::size_t i = 0; i < f.pressure.size(); ++i) {
    if (!(f.pressure[i] > 0.0)) continue;
    const double traction = std::hypot(f.traction_x[i], f.traction_y[i]);
    if (f.element_division[i] == ElementState::adhesion) {
      CHECK(traction <= step.friction.coefficient * f.pressure[i] * (1.0 + 1e-12));
      ++errors.adhering;
      continue;
    }
    ++errors.slipping;
    const double w =
        std::hypot(f.slip_x[i], f.slip_y[i]) * step.tangential.velocity / step.tangential.step;
    errors.traction = std::max(errors.traction, std::abs(traction / f.pressure[i] - sliding.at(w)));
    errors.greatest_fall =
        std::max(errors.greatest_fall, step.friction.coefficient - sliding.at(w));
  }
  return errors;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("friction law: static at rest, half of the drop at the half velocity, falling") {
    for (const FrictionLaw law : kFalling) {
      const SlidingLaw sliding = sliding_law(two_coefficients(0.4, 0.1, law, 5.0));
      CHECK(sliding.at(0.0) == test::near(0.4));
      CHECK(sliding.at(5.0) == test::near(0.25));
      CHECK(sliding.at(1e9) == test::near(0.1, 2e-8));  // 0.3 (5/1e9) is left of the drop
      for (double w = 0.0; w < 20.0; w += 0.5) CHECK(sliding.at(w + 0.5) <= sliding.at(w));
    }
    CHECK(sliding_law(two_coefficients(0.4, 0.1, FrictionLaw::constant, 0.0)).at(3.0) == 0.1);
    Friction plain;
    plain.coefficient = 0.3;
    CHECK(sliding_law(plain).at(7.0) == 0.3);
    CHECK_FALSE(plain.depends_on_slip());
  }

  TEST_CASE("friction: two coefficients are the same where their values are, whoever holds them") {
    const auto by_element = [](double last, const char* file) {
      Friction friction;
      friction.coefficient = 0.5;
      FrictionByElement elements = friction_by_element({0.1, 0.5, last});
      elements.file = file;
      friction.place = elements;
      return friction;
    };
    CHECK(by_element(0.2, "") == by_element(0.2, ""));
    CHECK_FALSE(by_element(0.2, "") == by_element(0.3, ""));
    CHECK_FALSE(by_element(0.2, "") == by_element(0.2, "mu.txt"));
    Friction points;
    points.coefficient = 0.5;
    points.place = FrictionAlongY{{0.0, 1.0}, {0.1, 0.5}};
    Friction same = points;
    CHECK(same == points);
    std::get<FrictionAlongY>(same.place).y[0] = -1.0;
    CHECK_FALSE(same == points);
    CHECK_FALSE(points == by_element(0.2, ""));
  }

  TEST_CASE("friction: points along y are joined by lines and held beyond them") {
    Friction friction;
    friction.coefficient = 0.5;
    friction.place = FrictionAlongY{{-1.0, 0.0, 2.0}, {0.4, 0.1, 0.5}};
    const Grid grid{2, 9, 1.0, 0.5, 0.0, -2.25};  // y = -2 ... 2
    const std::vector<double> mu = static_coefficients(friction, grid);
    const std::array<double, 9> expected{0.4, 0.4, 0.4, 0.25, 0.1, 0.2, 0.3, 0.4, 0.5};
    for (int iy = 0; iy < 9; ++iy) {
      CHECK(mu[grid.index(0, iy)] == test::near(expected[static_cast<std::size_t>(iy)]));
      CHECK(mu[grid.index(1, iy)] == mu[grid.index(0, iy)]);
    }
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("falling friction: coefficient and slip velocity agree in every element") {
    for (const ElasticBody& lower : {ElasticBody{1.0, 0.28}, ElasticBody{5.0, 0.1}}) {
      for (const FrictionLaw law : kFalling) {
        ContactProblem problem = ball(25, {1.0, 0.28}, lower);
        StepInput& step = problem.steps[0];
        step.friction = two_coefficients(0.4, 0.15, law, 0.008);
        step.tangential = rolling_at(2.0, 0.0018, 0.0006, problem.grid.dx);
        const test::Solved solved = test::solve(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        CHECK(solved.report.elements_slip > 50);
        CHECK(solved.report.elements_adhesion > 50);
        const LawErrors errors = law_errors(problem, solved.fields);
        // Relative change 1e-8 of the bound, some factor for the rest.
        CHECK(errors.traction <= 1e-6);
        CHECK(errors.slipping == solved.report.elements_slip);
        CHECK(errors.adhering == solved.report.elements_adhesion);
        CHECK(errors.greatest_fall >= 0.05);  // the law does something
      }
    }
  }

  // With the least part of the way while distances grow they took 76, 64, 59 and 87 rounds.
  TEST_CASE("falling friction: fast rolling leaves an unstable solution within some rounds") {
    struct Sample {
      ElasticBody lower;
      FrictionLaw law = FrictionLaw::constant;
      bool force = false;
      double found = 0.0;  // with the least part: creepage by force, or force/F_n by creepage
    };
    for (const Sample& sample :
         {Sample{{1000.0, 0.28}, FrictionLaw::linear_falling, false, -0.14523274},
          Sample{{5.0, 0.1}, FrictionLaw::linear_falling, true, 8.183005e-4},
          Sample{{5.0, 0.1}, FrictionLaw::rational, true, 5.213134e-4},
          Sample{{1.0, 0.28}, FrictionLaw::linear_falling, false, -0.14428394}}) {
      CAPTURE(sample.lower.shear_modulus);
      CAPTURE(sample.force);
      ContactProblem problem = ball(25, {1.0, 0.28}, sample.lower);
      problem.solver.tolerance = 1e-6;
      StepInput& step = problem.steps[0];
      step.friction = two_coefficients(0.4, 0.15, sample.law, 0.008);
      step.tangential = rolling_at(20.0, 0.0018, 0.0006, problem.grid.dx);
      step.tangential.y.value = 0.0005;
      if (sample.force) {
        step.tangential = rolling_at(20.0, 0.0, 0.0, problem.grid.dx);
        step.tangential.x = {TangentialControl::force_ratio, -0.35};
      }
      const test::Solved solved = test::solve(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.iterations_outer <= 50);
      CHECK(solved.report.residual <= 1e-5);  // formed from the fields: the tolerance, and some
      const LawErrors errors = law_errors(problem, solved.fields);
      CHECK(errors.traction <= 1e-4);  // the same, by small pressures
      CHECK(errors.slipping > 150);
      const double found =
          sample.force ? solved.report.rigid_x : solved.report.force_x / solved.report.normal_force;
      CHECK(found == test::near(sample.found, 1e-5));  // ten times the tolerance
    }
  }

  // A single element falls by 1.39 times what its own traction gives way: rounds of relaxation
  // alone did not end in 200, elements near the border between adhesion and slip kept jumping.
  TEST_CASE("falling friction: with large spin and a steep law newton's rows follow the law") {
    ContactProblem problem = ball(32, {1.0, 0.25}, {1.0, 0.25});
    problem.solver.tolerance = 1e-6;
    StepInput& step = problem.steps[0];
    const double greatest = 2.0 / (std::numbers::pi * 0.75 * 100.0);  // Hertz's p_max, of a = 1
    step.friction = two_coefficients(0.3, 0.15, FrictionLaw::linear_falling,
                                     0.15 * greatest / (2.0 * 2.1));  // V d p_max/(2 w_h G) = 2.1
    step.tangential = rolling_at(1.0, 0.0, 2e-3, problem.grid.dx);
    const test::Solved solved = test::solve(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    CHECK(solved.report.iterations_outer > 40);  // relaxation came before that
    CHECK(solved.report.residual <= 1e-5);       // formed from the fields under this law
    const LawErrors errors = law_errors(problem, solved.fields);
    CHECK(errors.traction <= 1e-4);  // the same, by small pressures
    CHECK(errors.slipping > 300);
    CHECK(errors.greatest_fall == test::near(0.15));
  }

  // With the least part of the way while distances grow the fifth step did not end in 200 rounds.
  TEST_CASE("falling friction: a transient of fast rolling under a force converges step by step") {
    ContactProblem problem = ball(25, {1.0, 0.28}, {1000.0, 0.28});
    problem.solver.tolerance = 1e-6;
    StepInput& step = problem.steps[0];
    step.friction = two_coefficients(0.4, 0.15, FrictionLaw::linear_falling, 0.008);
    step.tangential = rolling_at(20.0, 0.0, 0.0, problem.grid.dx);
    step.tangential.problem = TangentialProblem::transient_rolling;
    step.tangential.x = {TangentialControl::force_ratio, -0.35};
    const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
    for (int k = 1; k <= 5; ++k) {
      CAPTURE(k);
      const StepReport report = solver->advance(step);
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(report.iterations_outer <= 100);
      const LawErrors errors = law_errors(problem, solver->download());
      CHECK(errors.traction <= 1e-4);
      CHECK(errors.slipping > 20);
    }
  }

  // At higher velocities the fall of the friction outweighs the damping and the contact
  // stick-slips.
  TEST_CASE("falling friction in a transient run at low velocity ends in the steady state") {
    ContactProblem problem = ball(20, {1.0, 0.28}, {1.0, 0.28});
    StepInput& step = problem.steps[0];
    step.friction = two_coefficients(0.4, 0.2, FrictionLaw::exponential, 0.008);
    step.tangential = rolling_at(0.5, 0.0015, 0.0, problem.grid.dx);
    const test::Solved steady = test::solve(problem);
    step.tangential.problem = TangentialProblem::transient_rolling;
    step.repeat = 120;  // six contact lengths
    const test::Solved transient = test::solve(problem);
    REQUIRE(transient.report.outcome == Outcome::converged);
    CHECK(transient.report.force_x ==
          test::near(steady.report.force_x, 1e-5));  // the transient dies away
  }
}

TEST_SUITE("analytic") {
  // A fast wheel under traction, its creepage changed a little from steady rolling: the friction of
  // an element falls as it slips, so that a step may stick or slip.
  TEST_CASE(
      "falling friction: of two solutions of a step the one is found that it starts from, and "
      "stick-slip continues [CONTACT, example of velocity dependent friction]") {
    ContactProblem problem = test::normal_problem(
        {92, 1, 0.1, 200.0, -4.65, -100.0}, {82000.0, 0.28}, CylinderShape{460.0, CylinderAxis::y},
        NormalControl::force, 622216.0, 1e-6);
    StepInput steady = problem.steps[0];
    steady.friction = two_coefficients(0.30, 0.18, FrictionLaw::exponential, 100.0);
    steady.tangential = rolling_at(45000.0, -9.999e-4, 0.0, 0.1);
    steady.tangential.y.value = 0.0;
    StepInput next = steady;
    next.tangential.problem = TangentialProblem::transient_rolling;
    next.tangential.x.value = -1.0e-3;
    next.tangential.start = FrictionStart::adhesion;
    const std::unique_ptr<ContactSolver> solver = make_cpu_solver(problem);
    CHECK(solver->advance(steady).outcome == Outcome::converged);
    const StepReport sticks = solver->advance(next);
    CHECK(sticks.outcome == Outcome::converged);
    CHECK(sticks.elements_adhesion == 77);  // published
    CHECK(sticks.elements_slip == 4);
    solver->advance(steady);
    next.tangential.start = FrictionStart::slip;
    const StepReport slips = solver->advance(next);
    CHECK(slips.outcome == Outcome::converged);
    CHECK(slips.elements_slip > 40);
    CHECK(slips.force_x < 0.96 * sticks.force_x);
    for (int step = 5; step <= 60; ++step) {
      CAPTURE(step);
      CHECK(solver->advance(next).outcome == Outcome::converged);
    }
  }

  TEST_CASE("static and kinetic friction: a step that starts from slip may stay in it") {
    ContactProblem problem = ball(15, {1.0, 0.28}, {1.0, 0.28});
    StepInput step = problem.steps[0];
    step.friction = two_coefficients(0.4, 0.3, FrictionLaw::constant, 0.0);
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x.value = 0.0025;
    const auto solved = [&](FrictionStart start) {
      step.tangential.start = start;
      return make_cpu_solver(problem)->advance(step);
    };
    const StepReport last = solved(FrictionStart::last);
    const StepReport adhesion = solved(FrictionStart::adhesion);
    CHECK(adhesion.force_x == last.force_x);  // the first step starts from adhesion anyway
    const StepReport slip = solved(FrictionStart::slip);
    CHECK(slip.outcome == Outcome::converged);
    CHECK(slip.elements_slip >= adhesion.elements_slip);
  }

  TEST_CASE(
      "static and kinetic friction: slip carries the kinetic coefficient, adhesion up to the "
      "static one") {
    for (const ElasticBody& lower : {ElasticBody{1.0, 0.28}, ElasticBody{5.0, 0.1}}) {
      ContactProblem problem = ball(25, {1.0, 0.28}, lower);
      StepInput& step = problem.steps[0];
      step.friction = two_coefficients(0.4, 0.3, FrictionLaw::constant, 0.0);
      step.tangential.problem = TangentialProblem::shift;
      step.tangential.x.value = 0.0025;
      const test::Solved part = test::solve(problem);
      REQUIRE(part.report.outcome == Outcome::converged);
      CHECK(part.report.elements_slip > 20);
      CHECK(part.report.elements_adhesion > 20);
      const ContactSolution& f = part.fields;
      int slipping = 0;
      for (std::size_t i = 0; i < f.pressure.size(); ++i) {
        const double traction = std::hypot(f.traction_x[i], f.traction_y[i]);
        if (f.element_division[i] == ElementState::slip) {
          CHECK(traction == test::near(0.3 * f.pressure[i], 1e-9));
          ++slipping;
        } else {
          CHECK(traction <= 0.4 * f.pressure[i] * (1.0 + 1e-12));
        }
      }
      CHECK(slipping == part.report.elements_slip);
      step.tangential.x.value = 1.0;
      const test::Solved sliding = test::solve(problem);
      CHECK(sliding.report.elements_adhesion == 0);
      CHECK(sliding.report.force_x == test::near(-0.3 * sliding.report.normal_force, 1e-4));
    }
  }

  TEST_CASE(
      "a local coefficient equal everywhere is the plain one, one per element is taken where it "
      "stands") {
    ContactProblem problem = ball(20, {1.0, 0.28}, {5.0, 0.1});
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 0.35;
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x = {TangentialControl::force_ratio, -0.6};
    const test::Solved plain = test::solve(problem);
    step.friction.place = friction_by_element(std::vector<double>(problem.grid.count(), 0.35));
    const test::Solved same = test::solve(problem);
    CHECK(same.report.friction_coefficient == test::near(0.35, 1e-14));
    CHECK(same.report.rigid_x == test::near(plain.report.rigid_x, 1e-7));
    std::vector<double> stripes;
    for (std::size_t i = 0; i < problem.grid.count(); ++i)
      stripes.push_back(0.1 + 0.3 * static_cast<double>(i % 3));
    step.friction.place = friction_by_element(stripes);
    step.friction.coefficient = *std::max_element(stripes.begin(), stripes.end());
    step.tangential.x = {TangentialControl::rigid, 1.0};
    const test::Solved sliding = test::solve(problem);
    REQUIRE(sliding.report.outcome == Outcome::converged);
    for (std::size_t i = 0; i < problem.grid.count(); ++i)
      CHECK(std::hypot(sliding.fields.traction_x[i], sliding.fields.traction_y[i]) ==
            test::near(stripes[i] * sliding.fields.pressure[i], 1e-9));
  }

  TEST_CASE(
      "static and kinetic friction: after full sliding a force between the two adheres again, as "
      "it does by way of a smaller one") {
    // The kinetic coefficient carries 0.75: just above it all adhere.
    for (const auto& [ratio, least_slipping] :
         {std::pair(-0.751, 0), std::pair(-0.76, 6), std::pair(-0.80, 40)}) {
      CAPTURE(ratio);
      ContactProblem problem =
          test::normal_problem(test::centred_grid(24, 24, 1.26667, 1.26667), {200.0, 0.42},
                               QuadraticShape{0.01, 0.0, 0.01}, NormalControl::force, 9.1954, 1e-8);
      StepInput step = problem.steps[0];
      step.friction = two_coefficients(0.4, 0.3, FrictionLaw::constant, 0.0);
      step.tangential.problem = TangentialProblem::shift;
      step.tangential.x.value = 0.1;
      problem.steps = {step};
      step.tangential.x = {TangentialControl::force_ratio, ratio};
      problem.steps.push_back(step);
      const test::Solved direct = test::solve(problem);
      REQUIRE(direct.report.outcome == Outcome::converged);
      CHECK(direct.report.force_x == test::near(ratio * 0.4 * direct.report.normal_force, 1e-7));
      CHECK(direct.report.elements_adhesion > 0);
      const ContactSolution& f = direct.fields;
      int slipping = 0;
      for (std::size_t i = 0; i < f.pressure.size(); ++i) {
        const double traction = std::hypot(f.traction_x[i], f.traction_y[i]);
        if (f.element_division[i] == ElementState::slip) {
          CHECK(traction == test::near(0.3 * f.pressure[i], 1e-9));
          ++slipping;
        } else {
          CHECK(traction <= 0.4 * f.pressure[i] * (1.0 + 1e-12));
        }
      }
      CHECK(slipping == direct.report.elements_slip);
      CHECK(slipping >= least_slipping);
      StepInput smaller = step;
      smaller.tangential.x.value = -0.74;
      problem.steps.insert(problem.steps.begin() + 1, smaller);
      const test::Solved by_way = test::solve(problem);
      REQUIRE(by_way.report.outcome == Outcome::converged);
      CHECK(by_way.report.force_x == test::near(direct.report.force_x, 1e-7));
    }
  }

  TEST_CASE("a force beyond what the coefficients carry is named") {
    ContactProblem problem = ball(12, {1.0, 0.28}, {1.0, 0.28});
    StepInput& step = problem.steps[0];
    step.friction = two_coefficients(0.4, 0.2, FrictionLaw::constant, 0.0);
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x = {TangentialControl::force_ratio, -0.9};  // adhesion gives way to 0.5
    const StepReport report = test::solve(problem).report;
    CHECK(report.outcome == Outcome::not_converged);
    CHECK(report.message.find("not below mu F_n") != std::string::npos);
  }
}

}  // namespace slipfield
