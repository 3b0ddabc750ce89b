// SPDX-License-Identifier: Apache-2.0
// Viscoelastic bodies from step to step: the elastic limits, what a load that is held does, and
// where rolling ends (THEORY.md 5.13).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/step/creep_memory.h"
#include "solver/step/fading_step.h"
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

// The stress that a strain of 1 leaves after the time t, of a body with one creep term.
double relaxed(double ratio, double creep_time, double t) {
  return (1.0 + ratio * std::exp(-(1.0 + ratio) * t / creep_time)) / (1.0 + ratio);
}

// A sphere that is pressed on and shifted at once, then held in `steps` steps.
ContactProblem held_sphere(const ElasticBody& body, NormalControl control, double duration,
                           int steps) {
  ContactProblem problem =
      normal_problem({15, 14, 0.2, 0.2, -1.45, -1.42}, body, SphereShape{50.0}, control,
                     control == NormalControl::force ? 0.04 : 0.02, 1e-9);
  StepInput jump = problem.steps[0];
  jump.friction.coefficient = 0.4;
  jump.tangential.problem = TangentialProblem::shift;
  jump.tangential.x.value = 0.001;
  jump.tangential.duration = 1e-12;
  StepInput hold = jump;
  hold.tangential.x.value = 0.0;
  hold.tangential.duration = duration / steps;
  hold.repeat = steps;
  problem.steps = {jump, hold};
  return problem;
}
StepReport before_holding(ContactProblem problem) {
  problem.steps.pop_back();
  return test::solve(problem).report;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("fading step: the course of a relaxing stress leaves the bodies where they are") {
    const std::vector<CreepTerm> creep{{0.8, 0.3}, {0.5, 2.0}, {0.1, 0.0}};
    const Relaxation relaxation(creep);
    for (const double duration : {1e-7, 1e-3, 0.02, 0.5, 7.0, 1e4}) {
      CAPTURE(duration);
      // From a jump to the stress 1/1.1 on: the stress under which the strain is 1 again.
      double known = 0.0;
      double compliance = 1.0;
      for (const CreepTerm& term : creep) {
        const FadingStep step = relaxation.step(duration, term.time);
        CHECK(step.kept + step.before + step.now == doctest::Approx(1.0).epsilon(1e-12));
        CHECK(std::min({step.kept, step.before, step.now}) >= 0.0);
        known += term.ratio * step.before / 1.1;
        compliance += term.ratio * step.now;
      }
      const double stress = (1.0 - known) / compliance;
      // In 20000 steps of the linear course, whose error falls as the square of their length.
      double p = 1.0 / 1.1;
      std::vector<double> faded(creep.size(), 0.0);
      constexpr int kSteps = 20000;
      for (int k = 0; k < kSteps; ++k) {
        double rest = 1.0;
        double soft = 1.0;
        for (std::size_t i = 0; i < creep.size(); ++i) {
          const FadingStep step = fading_step(duration / kSteps / creep[i].time);
          faded[i] = step.kept * faded[i] + step.before * p;
          rest -= creep[i].ratio * faded[i];
          soft += creep[i].ratio * step.now;
        }
        p = rest / soft;
        for (std::size_t i = 0; i < creep.size(); ++i)
          faded[i] += fading_step(duration / kSteps / creep[i].time).now * p;
      }
      CHECK(stress == doctest::Approx(p).epsilon(1e-6));
    }
  }

  TEST_CASE("fading step: the errors of the linear course are those of one step of it") {
    const Relaxation relaxation({{1.5, 1.0}});
    for (const double duration : {0.1, 1.0, 10.0}) {
      const FadingStep step = fading_step(duration);
      const double held = (1.0 - 1.5 * step.before) / (1.0 + 1.5 * step.now);
      CHECK(relaxation.held_error(duration) ==
            doctest::Approx(held / relaxed(1.5, 1.0, duration) - 1.0).epsilon(1e-9));
      // The mean of the relaxed stress over the step.
      const double mean = 0.4 + 0.6 * -std::expm1(-2.5 * duration) / (2.5 * duration);
      CHECK(relaxation.moved_error(duration) ==
            doctest::Approx(1.0 / (1.0 + 1.5 * step.now) / mean - 1.0).epsilon(1e-9));
    }
  }

  TEST_CASE("fading step: the weights of a course that is linear in time") {
    for (const double r : {1e-5, 0.999e-3, 1.001e-3, 0.3, 4.0, 60.0}) {
      const FadingStep step = fading_step(r);
      // A constant traction stays what it is; p(t) = t fades to t - tau + tau e^-r.
      CHECK(step.kept + step.before + step.now == doctest::Approx(1.0).epsilon(1e-12));
      // r - 1 + e^-r, of small r by its series, as the terms cancel.
      const double exact =
          r < 1e-3 ? r * r * (0.5 - r * (1.0 / 6.0 - r / 24.0)) : r - 1.0 + std::exp(-r);
      CHECK(step.now * r == doctest::Approx(exact).epsilon(1e-9).scale(0.0));
    }
    CHECK(fading_step(HUGE_VAL).now == 1.0);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE(
      "creep between steps: bodies that are held relax as in closed form, in steps of any length") {
    const ElasticBody body{1.0, 0.4, {{1.5, 2.0}}};
    for (const double times : {0.1, 1.0, 2.5, 5.0, 40.0})  // of creep_time/(1 + ratio)
      for (const int steps : {1, 3}) {
        CAPTURE(times);
        CAPTURE(steps);
        const double left = relaxed(1.5, 2.0, times * 2.0 / 2.5);
        // Solved to 1e-9; all fields have the same scale.
        const ContactProblem held = held_sphere(body, NormalControl::approach, times * 0.8, steps);
        const StepReport first = before_holding(held);
        const StepReport last = test::solve(held).report;
        CHECK(std::abs(last.normal_force / (left * first.normal_force) - 1.0) <= 1e-7);
        CHECK(std::abs(last.force_x / (left * first.force_x) - 1.0) <= 1e-6);
        // Under a force: the traction relaxes, the pressure moves as the contact grows.
        const ContactProblem forced = held_sphere(body, NormalControl::force, times * 0.8, steps);
        const double shear = before_holding(forced).force_x;
        const StepReport at_end = test::solve(forced).report;
        CHECK(std::abs(at_end.force_x / (left * shear) - 1.0) <= 1e-3);  // some elements slide
      }
  }

  TEST_CASE(
      "creep between steps: bodies with two creep times that are held relax to 1 % in any step") {
    const ElasticBody body{1.0, 0.4, {{1.0, 1.0}, {1.0, 10.0}}};
    for (const double duration : {0.3, 2.0, 5.0, 20.0}) {
      CAPTURE(duration);
      const double exact = test::solve(held_sphere(body, NormalControl::approach, duration, 200))
                               .report.normal_force;
      const auto error = [&](int steps) {
        const ContactProblem held = held_sphere(body, NormalControl::approach, duration, steps);
        return std::abs(test::solve(held).report.normal_force / exact - 1.0);
      };
      CHECK(error(1) <= 1e-4);  // that of 200 steps
      CHECK(error(2) <= 1e-2);
      CHECK(error(4) <= 1e-2);
      CHECK(error(16) <= std::max(0.2 * error(4), 1e-4));  // falls as the square
    }
  }

  TEST_CASE(
      "creep between steps: a held load in one step is that of many, and a ramp's error falls as "
      "the square") {
    const ElasticBody body{1.0, 0.4, {{1.5, 2.0}}};
    const auto at_end = [&](NormalControl control, double shift, int steps) {
      ContactProblem problem = held_sphere(body, control, 1.0, steps);
      problem.steps[1].tangential.x.value = shift / steps;
      problem.steps[1].friction.coefficient = 10.0;  // nothing slides
      problem.steps[0].friction.coefficient = 10.0;
      problem.steps[0].tangential.x.value = 0.0;
      return test::solve(problem).report;
    };
    const double many = at_end(NormalControl::force, 0.0, 64).approach;
    CHECK(std::abs(at_end(NormalControl::force, 0.0, 1).approach / many - 1.0) <= 1e-3);
    const auto ramp = [&](int steps) {
      return at_end(NormalControl::approach, 0.001, steps).force_x;
    };
    const double exact = ramp(256);
    const double coarse = std::abs(ramp(4) / exact - 1.0);
    const double fine = std::abs(ramp(16) / exact - 1.0);
    CHECK(fine <= 0.15 * coarse);
  }

  TEST_CASE(
      "creep between steps: a force that grows at a held approach moves as far in one step as in "
      "many") {
    const ElasticBody body{1.0, 0.5, {{1.5, 2.0}}};  // without coupling
    const auto moved = [&](bool turning, int steps) {
      ContactProblem problem = held_sphere(body, NormalControl::approach, 2.0, steps);
      const StepInput hold = problem.steps[1];
      problem.steps.resize(1);
      problem.steps[0].tangential.x = {TangentialControl::force, 0.0};
      problem.steps[0].tangential.moment = 0.0;
      for (int k = 1; k <= steps; ++k) {
        StepInput step = hold;
        step.repeat = 1;
        step.tangential.x = {TangentialControl::force, turning ? 0.0 : 0.004 * k / steps};
        step.tangential.moment = turning ? 0.004 * k / steps : 0.0;
        problem.steps.push_back(step);
      }
      for (StepInput& step : problem.steps) step.friction.coefficient = 50.0;  // nothing slides
      const auto solver = make_cpu_solver(problem);
      double sum = 0.0;
      for (const StepInput& step : problem.steps) {
        const StepReport report = solver->advance(step);
        sum += turning ? report.rotation : report.rigid_x;
      }
      return sum;
    };
    for (const bool turning : {false, true}) {
      CAPTURE(turning);
      CHECK(std::abs(moved(turning, 1) / moved(turning, 64) - 1.0) <= 1e-5);
    }
  }

  TEST_CASE("fading step: creep in next to no time is creep at once, whatever it amounts to") {
    const FadingStep step = Relaxation({{1e9, 1e-300}, {0.5, 1.0}}).step(1.0, 1.0);
    CHECK(std::isfinite(step.before));
    CHECK(std::isfinite(step.now));
    CHECK(std::abs(step.kept + step.before + step.now - 1.0) <= 1e-15);
  }

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
      CHECK(last.report.force_x == doctest::Approx(steady.report.force_x).epsilon(0.03).scale(0.0));
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
