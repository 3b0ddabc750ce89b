// SPDX-License-Identifier: Apache-2.0
// Friction and rolling with the rows of the grid shared out over several cards, against one card.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "gpu/cards/card_team.h"
#include "gpu/cuda_device.h"
#include "gpu/device/cuda_check.h"
#include "solver/error.h"
#include "tests/gpu/cards/cards_support.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/near.h"

namespace slipfield {

using test::check_on_all_teams;
using test::check_same_solution;
using test::Devices;
using test::kAlongX;
using test::kAlongY;
using test::rolling_problem;
using test::sliding_problem;

namespace {

constexpr double kBackwards = std::numbers::pi;
constexpr double kOblique = 0.3;

// The steps of a sequence, on one card and on several.
void check_steps_on_all_teams(const ContactProblem& problem, int steps,
                              double rounding = test::kRounding) {
  for (const Devices& devices : test::teams()) {
    CAPTURE(devices.size());
    const auto one = make_cuda_solver(problem);
    const auto several = make_cards_solver(problem, devices);
    for (int k = 0; k < steps; ++k) {
      CAPTURE(k);
      const StepReport of_one = one->advance(problem.steps[0]);
      const StepReport of_several = several->advance(problem.steps[0]);
      check_same_solution({of_one, one->download()}, {of_several, several->download()}, rounding);
    }
  }
}

// The changes of the pressure and the tractions follow each other to 1e-10.
void check_same_derivatives(const StepReport& one, const StepReport& several) {
  REQUIRE(one.sensitivities.has_value());
  REQUIRE(one.approach_sensitivities.has_value());
  REQUIRE(several.sensitivities.has_value());
  REQUIRE(several.approach_sensitivities.has_value());
  const auto greatest_of = [](const auto& values) {  // some are 0 by the symmetry of the bodies
    double greatest = 0.0;
    for (const double value : values) greatest = std::fmax(greatest, std::fabs(value));
    return greatest;
  };
  for (std::size_t k = 0; k < 9; ++k)
    CHECK(several.sensitivities->at(k) ==
          test::within(one.sensitivities->at(k), 1e-7 * greatest_of(*one.sensitivities)));
  for (std::size_t k = 0; k < 4; ++k)
    CHECK(several.approach_sensitivities->at(k) ==
          test::within(one.approach_sensitivities->at(k),
                       1e-7 * greatest_of(*one.approach_sensitivities)));
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu cards: a shift with friction on any grid, with fewer rows than cards, as on one") {
    for (const auto& [mx, my] : {std::pair{37, 53}, {64, 60}, {31, 2}, {23, 1}})
      check_on_all_teams(sliding_problem(mx, my, false));
  }

  TEST_CASE("gpu cards: a shift of unlike bodies, and one by a moment, as on one card") {
    check_on_all_teams(sliding_problem(37, 53, true));
    ContactProblem turned = sliding_problem(40, 36, false);
    turned.steps[0].tangential.y = {TangentialControl::force_ratio, 0.1};
    turned.steps[0].tangential.moment = 0.002;
    check_on_all_teams(turned);
  }

  TEST_CASE("gpu cards: a shift on a periodic grid as on one card") {
    for (const auto& [mx, my] :
         {std::pair{48, 45}, {61, 67}}) {  // prime: beyond the own transforms
      for (const bool unlike : {false, true}) {
        ContactProblem problem = sliding_problem(mx, my, unlike);
        problem.grid.boundary = Boundary::periodic;
        check_on_all_teams(problem);
      }
    }
  }

  TEST_CASE("gpu cards: steady rolling along x and y, back and obliquely, as on one card") {
    for (const double direction : {kAlongX, kBackwards, kAlongY, kOblique}) {
      CAPTURE(direction);
      check_on_all_teams(rolling_problem(36, 45, false, direction, 1.0));
    }
    check_on_all_teams(rolling_problem(36, 45, true, kAlongX, 0.5));
    check_on_all_teams(rolling_problem(36, 45, true, kAlongY, 0.5));
    check_on_all_teams(rolling_problem(4201, 5, false, kAlongX, 1.0));
  }

  TEST_CASE("gpu cards: transient rolling with steps longer than an element, as on one card") {
    for (const double direction : {kAlongX, kAlongY}) {
      for (const double elements : {0.7, 2.5}) {  // particles then come from another card's rows
        CAPTURE(direction);
        CAPTURE(elements);
        ContactProblem problem = rolling_problem(28, 33, false, direction, elements);
        problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
        check_steps_on_all_teams(problem, 3);
      }
    }
  }

  TEST_CASE("gpu cards: friction that falls with the slip, and friction by element, as on one") {
    ContactProblem falling = rolling_problem(30, 27, false, kAlongX, 1.0);
    falling.steps[0].friction.kinetic = 0.2;
    falling.steps[0].friction.law = FrictionLaw::rational;
    falling.steps[0].friction.half_velocity = 0.05;
    check_on_all_teams(falling);
    ContactProblem varying = sliding_problem(30, 27, false);
    test::Random random(11);
    std::vector<double> value(varying.grid.count());
    for (double& each : value) each = 0.225 + 0.075 * random();
    varying.steps[0].friction.place = friction_by_element(value);
    check_on_all_teams(varying);
  }

  TEST_CASE("gpu cards: rolling of second order, steady and transient, as on one card") {
    for (const double direction : {kAlongX, kBackwards, kAlongY, -kAlongY}) {
      CAPTURE(direction);
      ContactProblem problem =
          rolling_problem(30, 33, direction == kAlongY, std::abs(direction), 1.0);
      problem.solver.rolling = RollingScheme::second_order;
      Tangential& tangential = problem.steps[0].tangential;
      tangential.direction = direction;
      check_on_all_teams(problem, test::kSecondOrderRounding);
      tangential.problem = TangentialProblem::transient_rolling;
      check_steps_on_all_teams(problem, 3, test::kSecondOrderRounding);
    }
  }

  TEST_CASE("gpu cards: newton for the pressures as on one card") {
    ContactProblem problem = sliding_problem(33, 29, true);
    problem.solver.normal = NormalMethod::newton;
    check_on_all_teams(problem);
    problem.grid.my = 2;
    check_on_all_teams(problem);
  }

  TEST_CASE("gpu cards: a layer that yields, and friction that remembers, as on one card") {
    ContactProblem yielding = rolling_problem(30, 27, false, kAlongY, 1.0);
    yielding.layer.compliance = 0.02;
    yielding.layer.yield_stress = 0.05;
    yielding.layer.hardening = 0.5;
    yielding.steps[0].tangential.y = {};
    check_on_all_teams(yielding);
    CHECK(test::solve(yielding, *make_cards_solver(yielding, {0, 0})).report.elements_plastic > 0);
    ContactProblem remembering = rolling_problem(30, 27, false, kAlongX, 1.0);
    Friction& friction = remembering.steps[0].friction;
    friction.kinetic = 0.2;
    friction.law = FrictionLaw::exponential;
    friction.half_velocity = 0.05;
    friction.memory_distance = 0.2;
    friction.memory_velocity = 0.01;
    check_on_all_teams(remembering);
  }

  TEST_CASE(
      "gpu cards: derivatives of the forces, found by iterations, are those of dense factors") {
    for (const bool rolls : {false, true}) {
      for (const bool unlike : {false, true}) {
        CAPTURE(rolls);
        CAPTURE(unlike);
        ContactProblem problem =
            rolls ? rolling_problem(28, 26, unlike, kAlongX, 1.0) : sliding_problem(28, 26, unlike);
        problem.sensitivities = true;
        const StepReport one = make_cuda_solver(problem)->advance(problem.steps[0]);
        for (const Devices& devices : test::teams())
          check_same_derivatives(one,
                                 make_cards_solver(problem, devices)->advance(problem.steps[0]));
      }
    }
  }

  // The pressures are found in a window, their changes and the tractions on the whole grid.
  TEST_CASE("gpu cards: derivatives of a small contact on a large grid, step after step") {
    for (const bool unlike : {false, true}) {
      CAPTURE(unlike);
      ContactProblem problem = test::in_window(sliding_problem(80, 75, unlike));
      problem.sensitivities = true;
      const auto one = make_cuda_solver(problem);
      const auto several = make_cards_solver(problem, {0, 0, 0});
      for (int step = 0; step < 2; ++step) {
        CAPTURE(step);
        const StepReport of_one = one->advance(problem.steps[0]);
        const StepReport of_several = several->advance(problem.steps[0]);
        check_same_solution({of_one, one->download()}, {of_several, several->download()});
        check_same_derivatives(of_one, of_several);
      }
    }
  }

  TEST_CASE("gpu cards: surface temperatures, and friction by them, as on one card") {
    for (const bool transient : {false, true}) {
      CAPTURE(transient);
      ContactProblem problem = rolling_problem(40, 27, false, kAlongX, 1.0);
      const ThermalBody steel{0.05, 450.0, 7.85e-6, 0.0};
      problem.surface.heat.emplace();
      problem.surface.heat->bodies = {steel, steel};
      problem.steps[0].tangential.velocity = 5000.0;
      if (transient) problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
      const auto one = make_cuda_solver(problem);
      const auto several = make_cards_solver(problem, {0, 0, 0});
      for (int k = 0; k < 2; ++k) {
        const StepReport of_one = one->advance(problem.steps[0]);
        const StepReport of_several = several->advance(problem.steps[0]);
        check_same_solution({of_one, one->download()}, {of_several, several->download()});
        REQUIRE(of_one.surface.max_temperature.has_value());
        CHECK(*of_several.surface.max_temperature ==
              test::near(*of_one.surface.max_temperature, 1e-9));
      }
      several->restore(several->state(), problem.steps[0]);
    }
  }

  TEST_CASE(
      "gpu cards: rolling of second order saved on some cards continues on any other number") {
    ContactProblem problem = rolling_problem(31, 26, false, kAlongY, 1.0);
    problem.solver.rolling = RollingScheme::second_order;
    problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
    const StepInput& step = problem.steps[0];
    const auto two = make_cards_solver(problem, {0, 0});
    two->advance(step);
    two->advance(step);
    const SolverState state = two->state();
    const StepReport report = two->advance(step);
    const test::Solved unbroken{report, two->download()};
    for (const Devices& devices : {Devices{0, 0}, {0}, {0, 0, 0}}) {
      CAPTURE(devices.size());
      const auto other = make_cards_solver(problem, devices);
      other->restore(state, step);
      const StepReport again = other->advance(step);
      check_same_solution(unbroken, {again, other->download()}, test::kSecondOrderRounding);
    }
  }

  TEST_CASE("gpu cards: a step with friction saved on some cards continues on any other number") {
    for (const bool rolls : {false, true}) {
      CAPTURE(rolls);
      ContactProblem problem =
          rolls ? rolling_problem(31, 26, true, kAlongY, 1.6) : sliding_problem(31, 26, true);
      if (rolls) problem.steps[0].tangential.problem = TangentialProblem::transient_rolling;
      StepInput next = problem.steps[0];
      next.normal.value *= 1.2;
      const auto two = make_cards_solver(problem, {0, 0});
      two->advance(problem.steps[0]);
      const SolverState state = two->state();
      const StepReport report = two->advance(next);
      const test::Solved unbroken{report, two->download()};
      for (const Devices& devices : {Devices{0, 0}, {0}, {0, 0, 0}}) {
        CAPTURE(devices.size());
        const auto other = make_cards_solver(problem, devices);
        other->restore(state, problem.steps[0]);
        const StepReport again = other->advance(next);
        check_same_solution(unbroken, {again, other->download()});
        if (devices.size() == 2) CHECK(other->download().traction_x == unbroken.fields.traction_x);
      }
    }
  }

  TEST_CASE("gpu cards: errors of rolling forces are estimated on several cards as on one") {
    ContactProblem problem = rolling_problem(36, 40, false, kAlongX, 1.0);
    problem.steps[0].tangential.y = {};
    problem.error_estimate = true;
    const StepReport one = make_cuda_solver(problem)->advance(problem.steps[0]);
    const StepReport two = make_cards_solver(problem, {0, 0})->advance(problem.steps[0]);
    REQUIRE(one.error.has_value());
    REQUIRE(two.error.has_value());
    // A difference of forces.
    CHECK(two.error->force_x == test::within(one.error->force_x, 1e-8 * std::fabs(one.force_x)));
  }

  // Or they would take different branches, and wait for each other.
  TEST_CASE("gpu cards: the greatest number of all is the same for each, should one be no number") {
    for (const int broken : {0, 1, 2}) {
      CardTeam team({0, 0, 0});
      std::vector<double> found(3);
      team.each([&](int card) {
        found[static_cast<std::size_t>(card)] = team.greatest(card, card == broken ? NAN : card);
      });
      for (const double each : found)
        CHECK((each == found[0] || (std::isnan(each) && std::isnan(found[0]))));
    }
  }

  TEST_CASE("gpu cards: the error of another card than the first ends all, with its number") {
    CardTeam team({0, 0, 0});
    const auto fail_on = [&team](int failing, const auto& error) {
      team.each([&](int card) {
        if (card == failing) throw error;
        for (int k = 0; k < 1000; ++k) team.meet();
      });
    };
    CHECK_THROWS_WITH_AS(fail_on(2, CudaError("told to fail")), "GPU 0: told to fail", CudaError);
    CHECK_THROWS_AS(team.each([](int /*card*/) {}), TeamFailed);
    CardTeam other({0, 0});
    CHECK_THROWS_WITH_AS(
        other.each([](int card) { card == 1 ? throw InputError("no such thing") : void(); }),
        "no such thing", InputError);
  }
}

}  // namespace slipfield
