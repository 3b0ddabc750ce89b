// SPDX-License-Identifier: Apache-2.0
// Viscoelastic bodies from step to step: the elastic limits, what a load that is held does, and
// where rolling ends (THEORY.md 5.13).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/check/creep_doubt.h"
#include "solver/step/creep_memory.h"
#include "solver/step/fading_step.h"
#include "tests/support/near.h"
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
      const CreepStep held = relaxation.step(duration, Rests::displacement,
                                             relaxation.now_of(duration, Changes::nothing));
      const std::vector<double> at_jump{0.0, 0.0, 1.0 / 1.1};
      double known = 0.0;
      double compliance = 1.0;
      for (std::size_t k = 0; k < creep.size(); ++k) {
        double all = held.before[k] + held.now[k];  // a constant traction that has crept to its end
        known += creep[k].ratio * held.before[k] / 1.1;
        compliance += creep[k].ratio * held.now[k];
        for (std::size_t l = 0; l < creep.size(); ++l) {
          all += held.kept[k * creep.size() + l];
          known += creep[k].ratio * held.kept[k * creep.size() + l] * at_jump[l];
        }
        CHECK(all == test::near(1.0, 1e-12));
        CHECK(held.now[k] >= 0.0);
        CHECK(held.now[k] <= 1.0);
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
      CHECK(stress == test::near(p, 1e-6));
    }
  }

  TEST_CASE("fading step: the stress left by a strain, its mean, and that of a linear course") {
    const Relaxation relaxation({{1.5, 1.0}});
    for (const double duration : {0.1, 1.0, 10.0}) {
      const FadingStep step = fading_step(duration);
      CHECK(relaxation.left_after(duration) == test::near(relaxed(1.5, 1.0, duration), 1e-12));
      // The mean of the relaxed stress over the step.
      const double mean = 0.4 + 0.6 * -std::expm1(-2.5 * duration) / (2.5 * duration);
      CHECK(relaxation.mean_left(0.0, duration) == test::near(mean, 1e-12));
      const double later = (2.0 * duration * relaxation.mean_left(0.0, 2.0 * duration) -
                            duration * relaxation.mean_left(0.0, duration)) /
                           duration;
      CHECK(relaxation.mean_left(duration, 2.0 * duration) == test::near(later, 1e-12));
      CHECK(relaxation.linear_stress(duration) == test::near(1.0 / (1.0 + 1.5 * step.now), 1e-12));
    }
  }

  TEST_CASE("fading step: strains that are held or grow are exact in any steps, after any others") {
    const std::vector<std::vector<CreepTerm>> bodies{
        {{4.0, 1.0}},
        {{1.0, 0.01}, {10.0, 100.0}},
        {{0.3, 10.0}, {0.3, 0.1}, {3.0, 0.01}},
        {{1.0, 1.0}, {1e-18, 3.0}, {2.0, 1.0000000000000002}},
        {{1e6, 1e-3}, {1.0, 1e30}}};
    struct Given {
      double duration, strain;
    };
    for (const auto& creep : bodies) {
      const Relaxation relaxation(creep);
      const std::size_t n = creep.size();
      std::vector<double> memory(n, 0.0);
      double stress = 1.0;  // by a jump to the strain 1
      double strain = 1.0;
      double time = 0.0;
      std::vector<std::array<double, 3>> ramps;  // from, to, growth
      for (const auto& [duration, to] : std::vector<Given>{
               {1.0, 1.0}, {0.7, 3.0}, {1e-5, 3.0}, {30.0, 3.0}, {0.5, 2.0}, {200.0, 5.0}}) {
        CAPTURE(duration);
        const Changes changes = to == strain ? Changes::nothing : Changes::displacements;
        const CreepStep step =
            relaxation.step(duration, Rests::displacement, relaxation.now_of(duration, changes));
        std::vector<double> next(n);
        double rest = to;
        double compliance = 1.0;
        for (std::size_t k = 0; k < n; ++k) {
          next[k] = step.before[k] * stress;
          for (std::size_t l = 0; l < n; ++l) next[k] += step.kept[k * n + l] * memory[l];
          rest -= creep[k].ratio * next[k];
          compliance += creep[k].ratio * step.now[k];
        }
        stress = rest / compliance;
        for (std::size_t k = 0; k < n; ++k) memory[k] = next[k] + step.now[k] * stress;
        ramps.push_back({time, time + duration, to - strain});
        time += duration;
        strain = to;
        double exact = relaxation.left_after(time);
        for (const auto& [from, end, growth] : ramps)
          exact += growth * relaxation.mean_left(time - end, time - from);
        // The sums over terms cancel to the long-term stress, 1e-6 for the softest body.
        CHECK(std::abs(stress - exact) <= 1e-9 * std::abs(exact));
      }
    }
  }

  TEST_CASE("fading step: the weights of a course that is linear in time") {
    for (const double r : {1e-5, 0.999e-3, 1.001e-3, 0.3, 4.0, 60.0}) {
      const FadingStep step = fading_step(r);
      // A constant traction stays what it is; p(t) = t fades to t - tau + tau e^-r.
      CHECK(step.kept + step.before + step.now == test::near(1.0, 1e-12));
      // r - 1 + e^-r, of small r by its series, as the terms cancel.
      const double exact =
          r < 1e-3 ? r * r * (0.5 - r * (1.0 / 6.0 - r / 24.0)) : r - 1.0 + std::exp(-r);
      CHECK(step.now * r == test::near(exact, 1e-9));
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
      "creep between steps: bodies with several creep times that are held relax exactly in unequal "
      "steps") {
    const std::vector<std::vector<CreepTerm>> bodies{{{1.0, 0.01}, {10.0, 100.0}},
                                                     {{0.5, 0.1}, {0.5, 10.0}},
                                                     {{1.0, 0.1}, {1.0, 1.0}, {1.0, 10.0}}};
    for (const auto& creep : bodies) {
      const Relaxation relaxation(creep);
      for (const NormalControl control : {NormalControl::approach, NormalControl::force}) {
        ContactProblem problem = held_sphere({1.0, 0.4, creep}, control, 1.0, 1);
        for (StepInput& step : problem.steps) step.friction.coefficient = 50.0;
        const auto solver = make_cpu_solver(problem);
        const StepReport first = solver->advance(problem.steps[0]);
        double time = 0.0;
        for (const double duration : {0.05, 0.05, 1.0, 1.0, 30.0, 0.3}) {
          CAPTURE(duration);
          StepInput hold = problem.steps[1];
          hold.tangential.duration = duration;
          const StepReport report = solver->advance(hold);
          time += duration;
          const double left = relaxation.left_after(time);
          if (control == NormalControl::approach) {
            CHECK(std::abs(report.normal_force / (left * first.normal_force) - 1.0) <= 1e-6);
            CHECK(std::abs(report.force_x / (left * first.force_x) - 1.0) <= 1e-6);
          } else {  // elements that the growing contact reaches carry little of the shift
            CHECK(std::abs(report.force_x / (left * first.force_x) - 1.0) <= 5e-3);
          }
        }
      }
    }
  }

  TEST_CASE(
      "creep between steps: a punch that moves on after a jump has the force of its closed form, "
      "in "
      "any number of steps") {
    const std::vector<std::vector<CreepTerm>> bodies{
        {{4.0, 1.0}}, {{1.0, 0.01}, {10.0, 100.0}}, {{0.3, 0.01}, {0.3, 0.1}, {3.0, 10.0}}};
    for (const auto& creep : bodies) {
      const Relaxation relaxation(creep);
      for (const bool pressed : {false, true}) {
        for (const int steps : {1, 3, 20}) {
          CAPTURE(steps);
          ContactProblem problem = normal_problem({9, 8, 0.25, 0.25, -1.0, -1.0}, {1.0, 0.5, creep},
                                                  PlanformShape{RectangleOutline{0.9, 0.7}},
                                                  NormalControl::approach, 0.01, 1e-9);
          problem.steps[0].friction.coefficient = 50.0;
          problem.steps[0].tangential.problem = TangentialProblem::shift;
          problem.steps[0].tangential.x.value = 0.001;
          problem.steps[0].tangential.duration = 1e-12;
          const auto solver = make_cpu_solver(problem);
          const StepReport first = solver->advance(problem.steps[0]);
          StepReport last;
          const double duration = 10.0;
          for (int k = 1; k <= steps; ++k) {
            StepInput step = problem.steps[0];
            step.tangential.x.value = pressed ? 0.0 : 0.001 / steps;
            if (pressed) step.normal.value *= 1.0 + static_cast<double>(k) / steps;
            step.tangential.duration = duration / steps;
            last = solver->advance(step);
          }
          const double held = relaxation.left_after(duration);
          const double moved = held + relaxation.mean_left(0.0, duration);
          CHECK(std::abs(last.normal_force / first.normal_force / (pressed ? moved : held) - 1.0) <=
                1e-6);
          CHECK(std::abs(last.force_x / first.force_x / (pressed ? held : moved) - 1.0) <= 1e-6);
        }
      }
    }
  }

  TEST_CASE(
      "creep between steps: the error of a growing contact is the one that the check estimates") {
    for (const double ratio : {1.5, 4.0}) {
      CAPTURE(ratio);
      const ElasticBody body{1.0, 0.4, {{ratio, 1.0}}};
      const auto pressed = [&](int steps) {
        ContactProblem problem = held_sphere(body, NormalControl::approach, 2.0, steps);
        const StepInput hold = problem.steps[1];
        problem.steps.resize(1);
        problem.steps[0].normal.value = 0.004;
        for (int k = 1; k <= steps; ++k) {
          problem.steps.push_back(hold);
          problem.steps.back().repeat = 1;
          problem.steps.back().normal.value = 0.004 + 0.016 * k / steps;
        }
        for (StepInput& step : problem.steps) step.friction.coefficient = 0.0;
        return problem;
      };
      const double many = test::solve(pressed(64)).report.normal_force;
      const auto error = [&](int steps) {
        return std::abs(test::solve(pressed(steps)).report.normal_force / many - 1.0);
      };
      const ContactProblem once = pressed(1);
      const auto found = worst_creep(once, once.steps);
      REQUIRE(found);
      CHECK(found->entry == 1);
      CHECK(found->error == test::near(error(1), 0.1));  // 10 elements across
      const auto enough = static_cast<int>(std::ceil(2.0 / found->duration - 1e-9));
      CHECK(error(enough) <= 0.011);
      const ContactProblem fine = pressed(64);
      CHECK_FALSE(worst_creep(fine, fine.steps));
    }
  }

  // The middle of a sphere under its force, by steps of the solver itself.
  TEST_CASE("creep between steps: the pressure of a growing contact is as far off as estimated") {
    for (const double ratio : {4.0, 10.0}) {
      CAPTURE(ratio);
      const auto held = [&](int steps) {
        ContactProblem problem =
            held_sphere({1.0, 0.4, {{ratio, 1.0}}}, NormalControl::force, 1.0, steps);
        for (StepInput& step : problem.steps) {
          step.friction.coefficient = 0.0;
          step.normal.value = 0.016;  // it grows within the grid
        }
        return problem;
      };
      const auto in_the_middle = [&](int steps) {
        const ContactProblem problem = held(steps);
        return test::solve(problem).fields.pressure[problem.grid.index(7, 7)];
      };
      const ContactProblem once = held(1);
      const auto found = worst_growth(once, once.steps);
      REQUIRE(found);
      CHECK(found->entry == 1);
      const double many = in_the_middle(64);
      CHECK(found->error == test::near(in_the_middle(1) / many - 1.0, 0.15));  // few elements
      const auto enough = static_cast<int>(std::ceil(1.0 / found->duration - 1e-9));
      CHECK(std::abs(in_the_middle(enough) / many - 1.0) <= 0.015);
      const ContactProblem fine = held(64);
      CHECK_FALSE(worst_growth(fine, fine.steps));
    }
  }

  TEST_CASE("creep between steps: two bodies of different creep that are held relax exactly") {
    ContactProblem problem = held_sphere({1.0, 0.5, {{1.0, 0.1}}}, NormalControl::approach, 1.0, 1);
    problem.lower = {1.0, 0.5, {{4.0, 10.0}}};
    const Relaxation relaxation({{0.5, 0.1}, {2.0, 10.0}});  // of both compliances
    const auto solver = make_cpu_solver(problem);
    const StepReport first = solver->advance(problem.steps[0]);
    double time = 0.0;
    for (const double duration : {0.1, 0.5, 1.0, 10.0}) {
      StepInput hold = problem.steps[1];
      hold.tangential.duration = duration;
      const StepReport report = solver->advance(hold);
      time += duration;
      const double left = relaxation.left_after(time);
      CHECK(std::abs(report.normal_force / (left * first.normal_force) - 1.0) <= 1e-6);
    }
  }

  TEST_CASE("creep between steps: a held load in one step is that of many, and so is a ramp") {
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
    for (const int steps : {1, 4, 16}) CHECK(std::abs(ramp(steps) / exact - 1.0) <= 1e-6);
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
    const Relaxation relaxation({{1e9, 1e-300}, {0.5, 1.0}});
    for (const Changes changes : {Changes::nothing, Changes::displacements, Changes::tractions}) {
      const CreepStep step =
          relaxation.step(1.0, Rests::displacement, relaxation.now_of(1.0, changes));
      for (std::size_t k = 0; k < 2; ++k) {
        CHECK(std::isfinite(step.before[k]));
        CHECK(std::isfinite(step.now[k]));
        const double all = step.kept[2 * k] + step.kept[2 * k + 1] + step.before[k] + step.now[k];
        CHECK(std::abs(all - 1.0) <= 1e-15);
      }
    }
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
      CHECK(last.report.approach == test::near(steady.report.approach, 0.02));
      CHECK(last.report.force_x == test::near(steady.report.force_x, 0.03));
      CHECK(last.report.max_pressure == test::near(steady.report.max_pressure, 0.03));
      // From steady rolling on, such steps change only what their own course does.
      StepInput next = problem.steps[0];
      next.tangential.problem = TangentialProblem::transient_rolling;
      problem.steps.push_back(next);
      const Solved after = test::solve(problem);
      CHECK(after.report.approach == test::near(last.report.approach, 0.005));
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
