// SPDX-License-Identifier: Apache-2.0
// Viscoelastic bodies from step to step: the elastic limits, what a load that is held does, and
// where rolling ends (THEORY.md 5.13).
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/step/creep_memory.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::normal_problem;
using test::Solved;

ElasticBody creeping_rubber(double time) { return {1.0, 0.35, {{0.7, time}}}; }

// Two shifts, then rolling, of an ellipsoid off the centre.
ContactProblem mixed_sequence(const ElasticBody& body) {
  const Grid grid{12, 11, 0.16, 0.17, -0.9, -0.83};
  ContactProblem problem = normal_problem(grid, body, QuadraticShape{0.5, 0.1, 0.6, 0.02, -0.03},
                                          NormalControl::force, 0.3, 1e-9);
  StepInput shift = problem.steps[0];
  shift.friction.coefficient = 0.3;
  shift.tangential.problem = TangentialProblem::shift;
  shift.tangential.x.value = 0.01;
  shift.tangential.y.value = -0.004;
  shift.tangential.duration = 0.2;
  StepInput second = shift;
  second.tangential.x.value = -0.006;
  StepInput rolling = shift;
  rolling.tangential = {};
  rolling.tangential.problem = TangentialProblem::transient_rolling;
  rolling.tangential.x.value = 0.02;
  rolling.tangential.rotation = 0.03;
  rolling.tangential.step = grid.dx;
  rolling.tangential.velocity = 1.0;
  rolling.repeat = 3;
  problem.steps = {shift, second, rolling};
  return problem;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("fading step: the weights of a course that is linear in time") {
    for (const double r : {1e-5, 0.999e-3, 1.001e-3, 0.3, 4.0, 60.0}) {
      const FadingStep step = fading_step(r);
      // A constant traction stays what it is; p(t) = t fades to t - tau + tau e^-r.
      CHECK(step.kept + step.before + step.now == doctest::Approx(1.0).epsilon(1e-12));
      CHECK(step.now * r == doctest::Approx(r - 1.0 + std::exp(-r)).epsilon(1e-9));
    }
    CHECK(fading_step(HUGE_VAL).now == 1.0);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("creep between steps: no creep time is the soft body, an endless one the hard body") {
    const Solved soft = test::solve(mixed_sequence({1.0 / 1.7, 0.35}));
    // The products are those of two parts.
    test::check_equal(test::solve(mixed_sequence(creeping_rubber(0.0))), soft, 1e-7);
    const Solved hard = test::solve(mixed_sequence({1.0, 0.35}));
    // The creep is 0.7 of the time over the creep time.
    test::check_equal(test::solve(mixed_sequence(creeping_rubber(1e9))), hard, 1e-7);
  }

  TEST_CASE("creep between steps: a long transient ends in steady rolling, in each direction") {
    constexpr double kHalf = test::kPi / 2.0;
    for (const double direction : {0.0, kHalf, 2.0 * kHalf, 3.0 * kHalf}) {
      CAPTURE(direction);
      ContactProblem problem = mixed_sequence(creeping_rubber(0.25));
      StepInput rolling = problem.steps[2];
      rolling.tangential.direction = direction;
      rolling.tangential.step =
          std::abs(std::sin(direction)) > 0.5 ? problem.grid.dy : problem.grid.dx;
      rolling.repeat = 40;  // 25 creep times, three lengths of the grid
      problem.steps = {rolling};
      const Solved last = test::solve(problem);
      rolling.tangential.problem = TangentialProblem::steady_rolling;
      rolling.repeat = 1;
      problem.steps = {rolling};
      const Solved steady = test::solve(problem);
      // The linear course in a step of 0.6 creep times: 0.6^2/12 of the memory.
      CHECK(last.report.approach == doctest::Approx(steady.report.approach).epsilon(0.02));
      CHECK(last.report.force_x == doctest::Approx(steady.report.force_x).epsilon(0.03));
      CHECK(last.report.max_pressure == doctest::Approx(steady.report.max_pressure).epsilon(0.03));
      // From steady rolling on, such steps change only what their own course does.
      StepInput next = problem.steps[0];
      next.tangential.problem = TangentialProblem::transient_rolling;
      problem.steps.push_back(next);
      const Solved after = test::solve(problem);
      CHECK(after.report.approach == doctest::Approx(last.report.approach).epsilon(0.005));
    }
  }

  TEST_CASE("creep between steps: a resumed run has the bits of an unbroken one") {
    ContactProblem problem = mixed_sequence(creeping_rubber(0.25));
    const auto one = make_cpu_solver(problem);
    one->advance(problem.steps[0]);
    one->advance(problem.steps[2]);
    const SolverState state = one->state();
    const auto other = make_cpu_solver(problem);
    other->restore(state, problem.steps[2]);
    const StepReport first = one->advance(problem.steps[2]);
    const StepReport second = other->advance(problem.steps[2]);
    CHECK(first.force_x == second.force_x);
    CHECK(one->download().traction_x == other->download().traction_x);
    CHECK(one->download().displacement_n == other->download().displacement_n);
  }

  TEST_CASE(
      "creep between steps: interrupted anywhere, of like and unlike bodies, it has its bits") {
    for (const bool unlike : {false, true}) {
      CAPTURE(unlike);
      ContactProblem problem = mixed_sequence(creeping_rubber(0.25));
      if (unlike) problem.lower = {1.7, 0.24};
      StepInput forced = problem.steps[0];
      forced.tangential.x = {TangentialControl::force_ratio, -0.4};
      forced.normal.value *= 1.3;
      problem.steps[2].repeat = 1;
      problem.steps = {problem.steps[0], problem.steps[1], forced,
                       problem.steps[2], problem.steps[2], problem.steps[1]};
      const auto whole = make_cpu_solver(problem);
      std::vector<SolverState> states;
      std::vector<ContactSolution> found;
      for (const StepInput& step : problem.steps) {
        whole->advance(step);
        states.push_back(whole->state());
        found.push_back(whole->download());
      }
      for (std::size_t cut = 1; cut < problem.steps.size(); ++cut) {
        CAPTURE(cut);
        const auto resumed = make_cpu_solver(problem);
        resumed->restore(states[cut - 1], problem.steps[cut - 1]);
        for (std::size_t k = cut; k < problem.steps.size(); ++k) {
          resumed->advance(problem.steps[k]);
          const ContactSolution fields = resumed->download();
          CHECK(fields.pressure == found[k].pressure);
          CHECK(fields.traction_x == found[k].traction_x);
          CHECK(fields.displacement_n == found[k].displacement_n);
        }
      }
    }
  }

  TEST_CASE(
      "creep between steps: runs from a state before rolling, or from rolling, keep the bits") {
    const ContactProblem problem = mixed_sequence(creeping_rubber(0.25));
    const StepInput& shift = problem.steps[0];
    const StepInput& rolling = problem.steps[2];
    for (const bool first_rolls : {false, true}) {
      CAPTURE(first_rolls);
      const StepInput& first = first_rolls ? rolling : shift;
      const auto solver = make_cpu_solver(problem);
      solver->advance(first);
      const SolverState state = solver->state();
      const double force = solver->advance(rolling).force_x;
      solver->advance(first_rolls ? shift : rolling);
      solver->restore(state, first);
      CHECK(solver->advance(rolling).force_x == force);
      solver->restore(state, first);
      CHECK(solver->advance(rolling).force_x == force);
    }
  }
}

}  // namespace slipfield
