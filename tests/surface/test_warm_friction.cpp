// SPDX-License-Identifier: Apache-2.0
// Friction by temperature that differs along y or remembers, the heat of a layer that yields, and
// what is kept of steps (THEORY.md 15.2, 15.4, 15.6).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/problem_check.h"
#include "solver/surface/heat.h"
#include "solver/surface/heat_memory.h"
#include "solver/surface/surface_fields.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

constexpr double kWarmFriction = 0.3;

// A coarse contact of steel that slides at 1 m/s, rolling in +x at 30 m/s.
ContactProblem sliding_wheel() {
  ContactProblem problem;
  problem.upper = problem.lower = {82000.0, 0.28};
  problem.grid = {27, 8, 0.8, 3.0, -10.8, -12.0, Boundary::free};
  problem.geometry = {QuadraticShape{0.001015, 0.0, 0.0004215}};
  const ThermalBody steel{0.05, 450.0, 7.85e-6, 20.0};
  problem.surface.heat = HeatRequest{{steel, steel}};
  StepInput step;
  step.friction.coefficient = kWarmFriction;
  step.normal = {NormalControl::force, 1.0e5};
  step.tangential.problem = TangentialProblem::steady_rolling;
  step.tangential.x.value = -0.03333;
  step.tangential.step = problem.grid.dx;
  step.tangential.velocity = 30000.0;
  problem.steps = {step};
  return problem;
}

struct Warm {
  StepReport report;
  ContactSolution solution;
  std::vector<double> temperature;  // of body 1
};

Warm warm_step(const ContactProblem& problem) {
  const StepInput& step = problem.steps.front();
  const auto solver = make_cpu_solver(problem);
  Warm warm;
  warm.report = solver->advance(step);
  REQUIRE(warm.report.outcome == Outcome::converged);
  warm.solution = solver->download();
  warm.temperature = step_temperatures(problem, step, warm.report, warm.solution).temperature[0];
  return warm;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("friction by temperature: each row has its own law, linear between places") {
    ContactProblem problem = sliding_wheel();
    FrictionByTemperature law;
    law.temperature = {20.0, 220.0};
    law.y = {-6.0, 6.0};
    law.value = {0.3, 0.1, 0.2, 0.2};
    CHECK(law.at(120.0, -9.0) == test::near(0.2));
    CHECK(law.at(20.0, 0.0) == test::near(0.25));
    CHECK(law.at(500.0, 3.0) == test::near(0.25 * 0.1 + 0.75 * 0.2));
    problem.steps[0].friction.place = law;
    const Warm warm = warm_step(problem);
    const Grid& grid = problem.grid;
    const double greatest = kWarmFriction * warm.report.max_pressure;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        const double bound = law.at(warm.temperature[i], grid.y(iy)) * warm.solution.pressure[i];
        CHECK(std::abs(warm.solution.traction_bound[i] - bound) <= 2e-5 * greatest);
      }
  }

  TEST_CASE("heat: to second order the bodies take in the friction power of the step") {
    ContactProblem problem = sliding_wheel();
    problem.solver.rolling = RollingScheme::second_order;
    StepInput& step = problem.steps[0];
    FrictionByTemperature law;
    law.temperature = {20.0, 60.0};
    law.value = {0.3, 0.2};
    for (const bool warm_friction : {false, true})
      for (const double creepage :
           {-3.0e-7, -3.0e-4, -0.03333}) {  // all, nearly all adheres, slips
        CAPTURE(creepage);
        if (warm_friction) step.friction.place = law;
        step.tangential.x.value = creepage;
        step.tangential.rotation = creepage == -3.0e-7 ? 0.0 : 1.0e-4;
        Warm warm = warm_step(problem);
        CHECK((warm.report.elements_slip == 0) == (creepage == -3.0e-7));
        add_surface(problem, step, warm.solution, warm.report);
        const double power =
            -warm.report.friction_work * step.tangential.velocity / step.tangential.step;
        CHECK(*warm.report.surface.heat_upper + *warm.report.surface.heat_lower ==
              test::near(power, 1e-12));
        double sum = 0.0;
        for (const double value : warm.solution.friction_power_density) sum += value;
        CHECK(problem.grid.element_area() * sum == test::near(power, 1e-12));
        if (!warm_friction) continue;
        // The rounds agree with the temperatures of the finished step.
        const double greatest = kWarmFriction * warm.report.max_pressure;
        for (std::size_t i = 0; i < warm.temperature.size(); ++i)
          CHECK(std::abs(warm.solution.traction_bound[i] -
                         law.at(warm.solution.temperature_upper[i]) * warm.solution.pressure[i]) <=
                2e-5 * greatest);
      }
  }

  TEST_CASE(
      "friction by temperature: where it rises it carries a force that it does not carry cold") {
    ContactProblem problem = sliding_wheel();
    FrictionByTemperature law;
    law.temperature = {20.0, 60.0};
    law.value = {0.1, 0.3};
    problem.steps[0].friction.place = law;
    TangentialLoad& load = problem.steps[0].tangential.x;
    load = {TangentialControl::force, 1.3e4};  // cold friction carries 1e4
    const Warm warm = warm_step(problem);
    CHECK(warm.report.force_x == test::near(1.3e4, 2e-5));  // 10 times the tolerance
    // Its creepage gives the force.
    load = {TangentialControl::rigid, warm.report.rigid_x};
    CHECK(warm_step(problem).report.force_x == test::near(1.3e4, 1e-4));
    load = {TangentialControl::force, 3.1e4};  // more than at any temperature
    const StepReport beyond = make_cpu_solver(problem)->advance(problem.steps[0]);
    CHECK(beyond.outcome == Outcome::not_converged);
    CHECK(beyond.message.find("not below mu F_n") != std::string::npos);
  }

  TEST_CASE(
      "friction by temperature: where it rises the forces and the moment of a motion give it "
      "back") {
    ContactProblem problem = sliding_wheel();
    FrictionByTemperature law;
    law.temperature = {20.0, 600.0};  // not reached: friction rises with the motion
    law.value = {0.1, 0.9};
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 0.9;
    step.friction.place = law;
    const auto check_back = [&](const StepReport& found, const StepReport& moved) {
      REQUIRE_MESSAGE(found.outcome == Outcome::converged, found.message);
      // Forces are met to 10 tolerances, and rise less than the motion does.
      CHECK(found.rigid_x == test::near(moved.rigid_x, 1e-3));
      CHECK(found.rigid_y == test::near(moved.rigid_y, 1e-3));
      CHECK(found.rotation == test::near(moved.rotation, 1e-3));
      // Some are 0 by symmetry, apart from rounding.
      const double force = std::hypot(moved.force_x, moved.force_y);
      const double moment = std::fabs(moved.moment_z);
      CHECK(found.force_x == test::within(moved.force_x, 3e-4 * force + 1e-10 * moment));
      CHECK(found.force_y == test::within(moved.force_y, 3e-4 * force + 1e-10 * moment));
      CHECK(found.moment_z == test::within(moved.moment_z, 3e-4 * moment + 1e-10 * force));
    };
    SUBCASE("two forces") {
      step.tangential.y.value = 0.02;
      const StepReport moved = warm_step(problem).report;
      REQUIRE(std::hypot(moved.force_x, moved.force_y) > 1.2e4);  // cold friction carries 1e4
      step.tangential.x = {TangentialControl::force, moved.force_x};
      step.tangential.y = {TangentialControl::force, moved.force_y};
      check_back(warm_step(problem).report, moved);
    }
    SUBCASE("a moment") {
      step.tangential.x.value = 0.0;
      step.tangential.rotation = 5e-3;
      const StepReport moved = warm_step(problem).report;
      step.tangential.rotation = 0.0;
      step.tangential.moment = moved.moment_z;
      check_back(warm_step(problem).report, moved);
      step.tangential.moment = 10.0 * moved.moment_z;  // more than at any temperature
      const StepReport beyond = make_cpu_solver(problem)->advance(step);
      CHECK(beyond.outcome == Outcome::not_converged);
      CHECK(beyond.message.find("no spin was found") != std::string::npos);
    }
    SUBCASE("in steps after a slide, forwards and back") {
      for (const TangentialProblem kind :
           {TangentialProblem::shift, TangentialProblem::transient_rolling})
        for (const double way : {1.0, 0.6, -1.0}) {
          CAPTURE(way);
          step.tangential.problem = kind;
          const bool shift = kind == TangentialProblem::shift;
          step.tangential.duration = shift ? 1e-3 : 0.0;
          step.tangential.velocity = shift ? 0.0 : 30000.0;
          step.tangential.x.value = shift ? 1.0 : 0.05;
          const auto by_motion = make_cpu_solver(problem);
          const auto by_force = make_cpu_solver(problem);
          for (int k = 0; k < 3; ++k) {
            REQUIRE(by_motion->advance(step).outcome == Outcome::converged);
            REQUIRE(by_force->advance(step).outcome == Outcome::converged);
          }
          StepInput last = step;
          last.tangential.x.value *= way;
          const StepReport moved = by_motion->advance(last);
          last.tangential.x = {TangentialControl::force, moved.force_x};
          check_back(by_force->advance(last), moved);
        }
    }
  }

  TEST_CASE("friction by temperature: a step follows one whose temperatures did not agree") {
    // A force that this steep law just carries: a case that was found at random.
    ContactProblem problem = sliding_wheel();
    problem.upper = problem.lower = {80000.0, 0.5};
    problem.grid = {20,      21,      0.14550456359042588, 0.0789902031307372,
                    -1.4550, -0.8531, Boundary::free};
    problem.geometry = {QuadraticShape{0.0020764, 9.641e-05, 0.0085556}};
    StepInput& step = problem.steps[0];
    step.normal = {NormalControl::approach, 0.0067335};
    step.tangential.problem = TangentialProblem::transient_rolling;
    step.tangential.direction = 0.5 * std::numbers::pi;
    step.tangential.step = problem.grid.dy;
    step.tangential.velocity = 20000.0;
    step.tangential.x.value = 0.0472134;
    step.tangential.y = {TangentialControl::force, -560.699};
    step.tangential.rotation = -0.00326537;
    FrictionByTemperature law;
    law.temperature = {20.0, 20.1};
    law.value = {0.2, 0.444527};
    step.friction.place = law;
    step.friction.coefficient = 0.444527;
    const auto solver = make_cpu_solver(problem);
    const StepReport first = solver->advance(step);
    REQUIRE(first.outcome == Outcome::not_converged);
    REQUIRE(first.message.find("did not agree") != std::string::npos);
    StepReport second;
    CHECK_NOTHROW(second = solver->advance(step));
    const auto restored = make_cpu_solver(problem);
    CHECK_NOTHROW(restored->restore(solver->state(), step));
    step.friction.place = {};
    CHECK_NOTHROW(second = solver->advance(step));
    CHECK(second.outcome == Outcome::converged);
  }

  TEST_CASE("friction by temperature: a step after a restored state has the same bits") {
    ContactProblem problem = sliding_wheel();
    StepInput& step = problem.steps[0];
    step.tangential.problem = TangentialProblem::transient_rolling;
    FrictionByTemperature law;
    law.temperature = {20.0, 120.0};
    law.value = {0.3, 0.1};
    step.friction.place = law;
    for (const bool layer : {false, true}) {
      if (layer) problem.layer = {.compliance = 1e-5, .yield_stress = 80.0};
      const auto whole = make_cpu_solver(problem);
      for (int k = 0; k < 3; ++k) REQUIRE(whole->advance(step).outcome == Outcome::converged);
      const auto restored = make_cpu_solver(problem);
      restored->restore(whole->state(), step);
      const StepReport last = whole->advance(step);
      const StepReport again = restored->advance(step);
      CHECK(again.iterations_outer == last.iterations_outer);
      CHECK(again.force_x == last.force_x);
      CHECK(restored->download().traction_bound == whole->download().traction_bound);
      CHECK(restored->state() == whole->state());
    }
  }

  TEST_CASE("friction by temperature: with memory it follows along the row") {
    for (const bool forwards : {true, false}) {
      ContactProblem problem = sliding_wheel();
      FrictionByTemperature law;
      law.temperature = {20.0, 220.0};
      law.value = {0.3, 0.1};
      law.memory_distance = 0.05;  // a particle slides .027 in an element
      law.memory_velocity = 1.0;
      Tangential& rolling = problem.steps[0].tangential;
      if (!forwards) rolling.direction = std::acos(-1.0);
      problem.steps[0].friction.place = law;
      const Warm warm = warm_step(problem);
      const Grid& grid = problem.grid;
      const double greatest = kWarmFriction * warm.report.max_pressure;
      double lag = 0.0;
      for (int iy = 0; iy < grid.my; ++iy) {
        double before = 0.3;  // cold, at the leading edge
        for (int k = 0; k < grid.mx; ++k) {
          const std::size_t i = grid.index(forwards ? grid.mx - 1 - k : k, iy);
          const ContactSolution& s = warm.solution;
          if (s.element_division[i] == ElementState::exterior) continue;
          const double velocity =
              std::max(1.0, std::hypot(s.slip_x[i], s.slip_y[i]) * rolling.velocity / rolling.step);
          const double theta = 0.05 / (0.05 + velocity * rolling.step / rolling.velocity);
          const double now = law.at(warm.temperature[i]);
          before = theta * before + (1.0 - theta) * now;
          lag = std::max(lag, before - now);
          CHECK(std::abs(s.traction_bound[i] - before * s.pressure[i]) <= 2e-5 * greatest);
        }
      }
      CHECK(lag > 0.01);
    }
  }

  TEST_CASE("friction by temperature: with a layer that yields the lower of both bounds counts") {
    ContactProblem problem = sliding_wheel();
    problem.layer.compliance = 1e-5;
    problem.layer.yield_stress = 80.0;
    FrictionByTemperature law;
    law.temperature = {20.0, 120.0};
    law.value = {0.3, 0.1};
    problem.steps[0].friction.place = law;
    const Warm warm = warm_step(problem);
    const double greatest = kWarmFriction * warm.report.max_pressure;
    int by_layer = 0;
    int by_friction = 0;
    for (std::size_t i = 0; i < problem.grid.count(); ++i) {
      if (warm.solution.element_division[i] == ElementState::exterior) continue;
      const double friction = law.at(warm.temperature[i]) * warm.solution.pressure[i];
      ++(friction < 80.0 ? by_friction : by_layer);
      CHECK(std::abs(warm.solution.traction_bound[i] - std::min(friction, 80.0)) <=
            2e-5 * greatest);
    }
    CHECK(by_layer > 10);
    CHECK(by_friction > 10);
  }

  TEST_CASE("heat: of the work in a layer that yields a share only becomes heat") {
    std::array<std::vector<double>, 3> rise;
    std::size_t yields = 0;
    for (std::size_t k = 0; k < rise.size(); ++k) {
      ContactProblem problem = sliding_wheel();
      problem.layer.compliance = 1e-5;
      problem.layer.yield_stress = 80.0;
      problem.surface.heat->plastic_share = 0.5 * static_cast<double>(k);
      const Warm warm = warm_step(problem);
      yields = static_cast<std::size_t>(std::count(warm.solution.element_division.begin(),
                                                   warm.solution.element_division.end(),
                                                   ElementState::plastic));
      rise[k] = warm.temperature;
    }
    REQUIRE(yields > 20);
    double greatest = 0.0;
    for (std::size_t i = 0; i < rise[0].size(); ++i) {
      // Heat adds up, and the contact does not depend on it.
      CHECK(rise[1][i] == test::near(0.5 * (rise[0][i] + rise[2][i]), 1e-9));
      greatest = std::max(greatest, rise[2][i] - rise[0][i]);
    }
    CHECK(greatest > 10.0);
  }
}

TEST_SUITE("unit") {
  TEST_CASE("friction by temperature: rows, places and memory are checked") {
    Friction friction;
    friction.coefficient = 0.3;
    FrictionByTemperature law;
    law.temperature = {0.0, 100.0};
    law.value = {0.3, 0.2, 0.3, 0.1};
    law.y = {0.0, 1.0};
    const auto faults = [&] {
      friction.place = law;
      return check_friction(friction);
    };
    CHECK(faults().empty());
    law.y = {1.0, 1.0};
    CHECK(faults().at(0).field == "friction.coefficient.along_y");
    law.y = {1.0};
    CHECK(faults().at(0).field == "friction.coefficient.value");
    law.y = {0.0, 1.0};
    law.memory_distance = -1.0;
    CHECK(faults().at(0).field == "friction.coefficient.memory_distance");
  }

  TEST_CASE("heat step by step: slides that are equal to some digits are joined, also at depth") {
    ContactProblem problem = sliding_wheel();
    StepInput& step = problem.steps[0];
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.duration = 0.01;
    const std::size_t count = problem.grid.count();
    ContactSolution apart;  // nothing in contact: what was before is all the heat
    for (auto field : {&ContactSolution::traction_x, &ContactSolution::traction_y,
                       &ContactSolution::slip_x, &ContactSolution::slip_y})
      (apart.*field).assign(count, 0.0);
    apart.element_division.assign(count, ElementState::exterior);
    for (const HeatConduction conduction : {HeatConduction::half_space, HeatConduction::depth}) {
      problem.surface.heat->conduction = conduction;
      const auto rise_of = [&](double wavering) {
        HeatMemory memory(problem);
        for (int n = 0; n < 100; ++n) {
          HeatPulse pulse;
          pulse.duration = 0.01;
          pulse.way_x[1] = 0.6 * (1.0 + wavering * (n % 7 - 3));
          pulse.way_y[1] = 0.01 * wavering * (n % 3 - 1);
          for (std::vector<double>& flux : pulse.flux) {
            flux.assign(count, 0.0);
            flux[problem.grid.index(13, 4)] = 1.0;
          }
          memory.keep(step, pulse);
        }
        SolverState state;
        memory.save(state);
        CHECK(state.at("heat_flux_upper").size() < 60 * count);
        const HeatedStep heated = memory.after(step, apart, {});
        return heated.surface.temperature;
      };
      const auto even = rise_of(0.0);
      const auto wavering = rise_of(1.0e-6);
      for (std::size_t body = 0; body < 2; ++body) {
        const double most = *std::max_element(even[body].begin(), even[body].end()) - 20.0;
        CHECK(most > 0.0);
        for (std::size_t i = 0; i < count; ++i)
          CHECK(std::abs(wavering[body][i] - even[body][i]) <= 1e-3 * most);
      }
    }
  }
}

}  // namespace slipfield
