// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/problem_check.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

constexpr ElasticBody kRail{82000.0, 0.28};

Friction falling_friction() {
  Friction friction;
  friction.coefficient = 0.36;
  friction.kinetic = 0.15;
  friction.law = FrictionLaw::exponential;
  friction.half_velocity = 8.0;
  return friction;
}

// A ball rolling on a plane: a = 1 of Hertz.
ContactProblem rolling_on_rail(int n, const Friction& friction) {
  const double modulus = kRail.shear_modulus / (1.0 - kRail.poisson_ratio);
  ContactProblem problem =
      test::normal_problem(test::centred_grid(n, n - 1, 1.2, 1.2), kRail, SphereShape{100.0},
                           NormalControl::force, 4.0 / 3.0 * modulus / 100.0);
  StepInput& step = problem.steps[0];
  step.friction = friction;
  step.tangential.problem = TangentialProblem::steady_rolling;
  step.tangential.x.value = -3.2e-3;
  step.tangential.y.value = 1.1e-3;
  step.tangential.rotation = 0.7e-3;
  step.tangential.step = problem.grid.dx;
  step.tangential.velocity = 4000.0;
  return problem;
}

double slip_velocity(const ContactProblem& problem, const ContactSolution& f, std::size_t i) {
  const Tangential& tangential = problem.steps[0].tangential;
  return std::hypot(f.slip_x[i], f.slip_y[i]) * tangential.velocity / tangential.step;
}

// Coefficients of the elements in contact against those that memory makes of their slip, along the
// rows from the leading edge.
double memory_error(const ContactProblem& problem, const ContactSolution& f) {
  const Grid& grid = problem.grid;
  const Friction& friction = problem.steps[0].friction;
  const double time = grid.dx / problem.steps[0].tangential.velocity;
  const double chi = problem.steps[0].tangential.direction;
  double error = 0.0;
  for (int iy = 0; iy < grid.my; ++iy) {
    double before = friction.coefficient;
    for (int k = 0; k < grid.mx; ++k) {
      const std::size_t i = grid.index(std::cos(chi) > 0.0 ? grid.mx - 1 - k : k, iy);
      if (!(f.pressure[i] > 0.0)) continue;
      const bool slips = f.element_division[i] == ElementState::slip;
      const double w = slips ? slip_velocity(problem, f, i) : 0.0;
      const double kept = friction.memory_distance /
                          (friction.memory_distance + time * std::max(w, friction.memory_velocity));
      before = kept * before + (1.0 - kept) * sliding_law(friction).at(w);
      error = std::max(error, std::abs(f.traction_bound[i] / f.pressure[i] - before));
    }
  }
  return error;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("friction law: a second term has its own drop and velocity, a rational one a square") {
    SlidingLaw law{{2.0, 0.1, 5.0}, FrictionLaw::linear_falling, 0.5, 0.1};
    const double w = 3.0;
    CHECK(law.at(0.0) == test::near(0.5));
    CHECK(law.at(w) == test::near(0.1 + 0.3 * (1.0 - 3.0 / 4.0) + 0.1 * (1.0 - 3.0 / 10.0)));
    law.law = FrictionLaw::rational;
    CHECK(law.at(w) == test::near(0.1 + 0.3 / (1.0 + 1.5) + 0.1 / (1.0 + 0.36)));
    law.law = FrictionLaw::exponential;
    CHECK(law.at(w) == test::near(0.1 + 0.3 * std::exp2(-1.5) + 0.1 * std::exp2(-0.6)));
  }

  TEST_CASE("memory: coefficients obey its equation along every row, in either direction") {
    for (const double chi : {0.0, test::kPi}) {
      Friction friction = falling_friction();
      friction.memory_distance = 3.0e-4;
      friction.memory_velocity = 1.0;
      ContactProblem problem = rolling_on_rail(18, friction);
      problem.steps[0].tangential.direction = chi;
      problem.steps[0].tangential.x.value = -1.2e-3;
      const auto [report, f] = test::solve(problem);
      REQUIRE(report.outcome == Outcome::converged);
      CHECK(report.elements_adhesion > 10);
      CHECK(report.elements_slip > 50);
      CHECK(memory_error(problem, f) < 1.0e-6);  // the tolerance is 1e-8 of the bound's norm
    }
  }

  // Where no velocity lets it fade, an element that slipped recovers within a slip of the memory
  // distance. Rounds that held such an element at one of both coefficients did not agree.
  TEST_CASE("memory: short it is none, also in steps in time without a velocity of fading") {
    const auto rolled = [](double distance) {
      Friction friction = falling_friction();
      friction.memory_distance = distance;
      ContactProblem problem = rolling_on_rail(16, friction);
      problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
      const auto solver = make_cpu_solver(problem);
      std::vector<double> forces;
      for (const double creepage :
           {-3.2e-3, -3.2e-3, -3.2e-3, -3.2e-3, -8.0e-4, -8.0e-4, -8.0e-4}) {
        problem.steps[0].tangential.x.value = creepage;
        const StepReport report = solver->advance(problem.steps[0]);
        CHECK(report.outcome == Outcome::converged);
        forces.push_back(report.force_x);
      }
      return forces;
    };
    const std::vector<double> at_once = rolled(0.0);
    for (const double distance : {1.0e-12, 1.0e-9}) {
      const std::vector<double> shortly = rolled(distance);
      for (std::size_t k = 0; k < at_once.size(); ++k) {
        CAPTURE(k);
        CHECK(shortly[k] == test::near(at_once[k], 1e-3));
      }
    }
  }

  // With the recovery of 1e-12 mm as a law of its own, four of these steps did not agree.
  TEST_CASE(
      "memory: below what the tolerance resolves it is none, however steeply friction falls") {
    const auto rolled = [](double distance) {
      Friction friction;
      friction.coefficient = 0.4;
      friction.kinetic = 0.2;
      friction.law = FrictionLaw::exponential;
      friction.half_velocity = 3.0;
      friction.memory_distance = distance;
      ContactProblem problem =
          test::normal_problem({16, 14, 8.4 / 16, 0.5, -4.2, -3.5}, {82000.0, 0.28},
                               EllipsoidShape{500.0, 300.0}, NormalControl::force, 9000.0, 1e-6);
      StepInput step = problem.steps[0];
      step.friction = friction;
      step.tangential.problem = TangentialProblem::transient_rolling;
      step.tangential.step = problem.grid.dx;
      step.tangential.velocity = 20000.0;
      const auto solver = make_cpu_solver(problem);
      std::vector<double> forces;
      for (const auto& [x, y] : {std::pair{-1.35e-3, 1.2e-4},
                                 {8.8e-4, -5.6e-4},
                                 {1.15e-3, -2.2e-4},
                                 {3.0e-4, -1.32e-3},
                                 {6.4e-4, -1.05e-3},
                                 {1.2e-4, 4.8e-4},
                                 {1.22e-3, 4.1e-4},
                                 {8.8e-4, 3.2e-4}}) {
        step.tangential.x.value = x;
        step.tangential.y.value = y;
        const StepReport report = solver->advance(step);
        CHECK(report.outcome == Outcome::converged);
        forces.push_back(report.force_x);
      }
      return forces;
    };
    CHECK(rolled(1.0e-12) == rolled(0.0));
  }

  TEST_CASE("memory: short it is none, long it keeps the static coefficient") {
    Friction friction = falling_friction();
    const auto at_once = test::solve(rolling_on_rail(16, friction));
    friction.memory_distance = 1.0e-9;
    const auto shortly = test::solve(rolling_on_rail(16, friction));
    // theta is about 1e-9/(dx w/V)
    CHECK(shortly.report.force_x == test::near(at_once.report.force_x, 1e-4));
    friction.memory_distance = 1.0e5;
    const auto never = test::solve(rolling_on_rail(16, friction));
    Friction plain;
    plain.coefficient = friction.coefficient;
    const auto fixed = test::solve(rolling_on_rail(16, plain));
    CHECK(never.report.force_x == test::near(fixed.report.force_x, 1e-6));
    CHECK(std::abs(at_once.report.force_x) < 0.9 * std::abs(never.report.force_x));
  }

  TEST_CASE("memory: transient rolling tends to the steady state") {
    Friction friction = falling_friction();
    friction.half_velocity = 30.0;  // falls so slowly that nothing sticks and slips
    friction.memory_distance = 6.0e-4;
    friction.memory_velocity = 2.0;
    ContactProblem problem = rolling_on_rail(14, friction);
    const auto steady = test::solve(problem);
    problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
    problem.steps[0].repeat = 60;
    const auto transient = test::solve(problem);
    REQUIRE(transient.report.outcome == Outcome::converged);
    CHECK(transient.report.force_x == test::near(steady.report.force_x, 1e-4));
  }

  TEST_CASE("friction along y: every row slips by its own law, the same everywhere is one law") {
    Friction friction = falling_friction();
    const auto one = test::solve(rolling_on_rail(16, friction));
    friction.along_y = {{-1.0, sliding_law(friction)}, {0.4, sliding_law(friction)}};
    const auto same = test::solve(rolling_on_rail(16, friction));
    CHECK(same.report.force_x == test::near(one.report.force_x, 1e-6));
    friction.along_y[0].law.fixed = 0.2;
    friction.along_y[0].law.half_velocity = 20.0;
    friction.along_y[1].law.second_drop = 0.05;
    friction.along_y[1].law.second_half_velocity = 3.0;
    ContactProblem problem = rolling_on_rail(16, friction);
    problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.4};
    const auto [report, f] = test::solve(problem);
    REQUIRE(report.outcome == Outcome::converged);
    const Grid& grid = problem.grid;
    double mean = 0.0;
    double force = 0.0;
    for (int iy = 0; iy < grid.my; ++iy) {
      // between the places half of the way has half of the numbers
      const double part = std::clamp((grid.y(iy) + 1.0) / 1.4, 0.0, 1.0);
      SlidingLaw law = friction.along_y[0].law;
      law.fixed += part * (0.36 - 0.2);
      law.half_velocity += part * (8.0 - 20.0);
      law.second_drop = part * 0.05;
      law.second_half_velocity = part * 3.0;
      for (int ix = 0; ix < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        mean += law.fixed * f.pressure[i];
        force += f.pressure[i];
        if (f.element_division[i] != ElementState::slip) continue;
        const double traction = std::hypot(f.traction_x[i], f.traction_y[i]);
        CHECK(traction / f.pressure[i] == test::near(law.at(slip_velocity(problem, f, i)), 1e-5));
      }
    }
    CHECK(report.friction_coefficient == test::near(mean / force));
    // ten times the tolerance
    CHECK(report.force_x == test::near(-0.4 * mean * grid.element_area(), 1e-7));
  }

  TEST_CASE("friction: second terms and memories that make no law are named") {
    const auto first = [](const Friction& friction) {
      const auto faults = check_friction(friction);
      return faults.empty() ? std::string{} : fault_text(faults.front());
    };
    Friction friction = falling_friction();
    CHECK(first(friction).empty());
    friction.second_drop = 0.3;
    friction.second_half_velocity = 1.0;
    CHECK(first(friction).find("friction.second_drop: 0.3 is more than the coefficient falls") ==
          0);
    friction.second_drop = 0.1;
    friction.second_half_velocity = 0.0;
    CHECK(first(friction).find("friction.second_half_velocity: 0 is out of range") == 0);
    friction = falling_friction();
    friction.law = FrictionLaw::constant;
    friction.memory_distance = 1.0;
    CHECK(first(friction).find("friction.memory_distance: given although") == 0);
    ContactProblem oblique = rolling_on_rail(8, falling_friction());
    oblique.steps[0].friction.memory_distance = 1.0;
    oblique.steps[0].tangential.direction = 0.5;
    const auto faults = check_problem(oblique);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].reason == "follows particles along x or y only");
  }
}

}  // namespace slipfield
