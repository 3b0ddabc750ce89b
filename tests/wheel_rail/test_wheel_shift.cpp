// SPDX-License-Identifier: Apache-2.0
// A wheel shifted over its rail where the pressure alone moves the surfaces along each other.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "solver/wheel_rail/wheel_solver.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

// The rail (body 1) softer than the wheel, or the other way round: K = +-.22.
ContactProblem unlike_bodies(bool soft_rail) {
  ContactProblem bodies;
  bodies.upper = {30000.0, 0.2};
  bodies.lower = {82000.0, 0.28};
  if (!soft_rail) std::swap(bodies.upper, bodies.lower);
  return bodies;
}

WheelStep shifted_wheel(Side side) {
  WheelStep step;
  step.position.side = side;
  step.position.shifts = true;
  step.position.wheelset.y = side == Side::right ? -1.5 : 1.5;
  step.position.wheelset.velocity_y = 0.004;
  step.position.wheelset.velocity_pitch = 0.5e-5;
  step.friction.coefficient = 0.3;
  return step;
}

}  // namespace

TEST_SUITE_BEGIN("analytic");

TEST_CASE("wheel solver: a shift of unlike bodies under forces is that at the height they give") {
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = 0.6;
  for (const bool soft_rail : {true, false})
    for (const Side side : {Side::left, Side::right})
      for (const bool braked : {false, true}) {
        CAPTURE(soft_rail);
        CAPTURE(side == Side::left);
        CAPTURE(braked);
        WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), settings);
        const ContactProblem bodies = unlike_bodies(soft_rail);
        WheelStep step = shifted_wheel(side);
        step.vertical_force = 20000.0;
        if (braked) step.longitudinal_force = 900.0;
        const SolvedWheel loaded = solve_wheel(search, bodies, step, test::solver_on_cpu);
        REQUIRE(loaded.outcome == Outcome::converged);
        step.vertical_force.reset();
        step.longitudinal_force.reset();
        step.position.wheelset.z = loaded.z;
        if (braked) step.position.wheelset.velocity_pitch = loaded.pitch_velocity;
        const SolvedWheel placed = solve_wheel(search, bodies, step, test::solver_on_cpu);
        REQUIRE(placed.outcome == Outcome::converged);
        // Both converge to 1e-6 of the tractions, of which friction allows 6 kN.
        CHECK((loaded.track_force - placed.track_force).norm() <= 0.1);
        CHECK(std::fabs(placed.track_force.y()) > 500.0);
      }
}

TEST_SUITE_END();

}  // namespace slipfield
