// SPDX-License-Identifier: Apache-2.0
// A wheel on a rail whose contacts are estimated, or whose friction follows their temperature.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "solver/wheel_rail/height_search.h"
#include "solver/wheel_rail/wheel_solver.h"
#include "tests/support/near.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

ContactProblem steel_with(TangentialMethod tangential, NormalMethod normal) {
  ContactProblem bodies = test::steel_on_steel();
  bodies.solver.tangential = tangential;
  bodies.solver.normal = normal;
  return bodies;
}

WheelStep step_of_case(std::size_t number) {
  WheelStep step;
  step.position = test::manchester_position(test::manchester_cases()[number - 1]);
  step.vertical_force = 10000.0;
  step.friction.coefficient = 0.3;
  return step;
}

PatchSettings wide_elements() {
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = 0.4;
  return settings;
}

}  // namespace

TEST_SUITE_BEGIN("analytic");

TEST_CASE("wheel solver: where KPEC's force jumps, the nearer side is taken, with a warning") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const ContactProblem bodies = steel_with(TangentialMethod::fastsim, NormalMethod::kpec);
  // Found by a sweep over y in steps of .02 mm; a row of elements enters the estimate's parabola.
  WheelStep step;
  step.position.side = Side::left;
  Wheelset& set = step.position.wheelset;
  set.y = -0.7;
  set.velocity_x = 2000.0;
  set.velocity_pitch = -2000.0 / 460.0;
  step.friction.coefficient = 0.3;
  step.vertical_force = 10000.0;
  const SolvedWheel wheel = solve_wheel(search, bodies, step, test::solver_on_cpu);
  CHECK(wheel.outcome == Outcome::converged);
  CHECK(wheel.message.empty());
  CHECK(wheel.warning.find("the vertical force jumps from ") != std::string::npos);
  CHECK(wheel.warning.find("where 10000 N are asked for") != std::string::npos);
  const double off = std::fabs(wheel.track_force.z() - 10000.0);
  CHECK(off > 0.1);  // 1e-5 of the force would have been met
  CHECK(off < 200.0);
  // The other side of the jump is farther away.
  step.position.wheelset.z = wheel.z + (wheel.track_force.z() > 10000.0 ? -2e-7 : 2e-7);
  step.vertical_force.reset();
  const SolvedWheel other = solve_wheel(search, bodies, step, test::solver_on_cpu);
  CHECK((other.track_force.z() - 10000.0) * (wheel.track_force.z() - 10000.0) < 0.0);
  CHECK(std::fabs(other.track_force.z() - 10000.0) >= off);
}

TEST_CASE("wheel solver: where KPEC's force jumps as two contacts merge, another method is named") {
  WheelStep step;
  step.position.side = Side::left;
  Wheelset& set = step.position.wheelset;
  set.y = -5.2;
  set.velocity_x = 2000.0;
  set.velocity_pitch = -2000.0 / 460.0;
  step.friction.coefficient = 0.3;
  step.vertical_force = 82000.0;
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = 0.5;
  const auto solved = [&](NormalMethod normal) {
    WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), settings);
    return solve_wheel(search, steel_with(TangentialMethod::fastsim, normal), step,
                       test::solver_on_cpu);
  };
  const SolvedWheel jumps = solved(NormalMethod::kpec);
  CHECK(jumps.outcome == Outcome::not_converged);
  CHECK(
      jumps.message.ends_with("the forces of kpec jump where two contacts become one, those of "
                              "analyn and bound_cg do not"));
  for (const NormalMethod normal : {NormalMethod::analyn, NormalMethod::bound_cg}) {
    const SolvedWheel met = solved(normal);
    CHECK(met.outcome == Outcome::converged);
    CHECK(met.track_force.z() == test::near(82000.0, 1e-4));
  }
}

TEST_CASE("wheel solver: FaStrip in the contacts agrees with the full theory to 10 % of mu F_n") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), wide_elements());
  for (const std::size_t number : {2U, 5U, 9U}) {
    CAPTURE(number);
    const WheelStep step = step_of_case(number);
    const SolvedWheel full =
        solve_wheel(search, steel_with(TangentialMethod::automatic, NormalMethod::automatic), step,
                    test::solver_on_cpu);
    const SolvedWheel fast =
        solve_wheel(search, steel_with(TangentialMethod::fastrip, NormalMethod::bound_cg), step,
                    test::solver_on_cpu);
    CHECK(fast.outcome == Outcome::converged);
    REQUIRE(fast.patches.size() == full.patches.size());
    CHECK(std::fabs(fast.track_force.x() - full.track_force.x()) <= 0.1 * 0.3 * 10000.0);
    CHECK(std::fabs(fast.track_force.y() - full.track_force.y()) <= 0.1 * 0.3 * 10000.0);
  }
}

TEST_CASE("wheel solver: friction by the rail's temperature, between its cold and its warm value") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), wide_elements());
  ContactProblem bodies = steel_with(TangentialMethod::automatic, NormalMethod::automatic);
  bodies.surface.heat.emplace();
  bodies.surface.heat->bodies.fill({0.05, 450.0, 7.85e-6, 0.0});
  WheelStep step = step_of_case(15);  // full slip
  struct Slide {
    double force_x = 0.0;
    double friction = 0.0;  // by the rail's temperatures, the mean of the pressures
  };
  const auto slide = [&](const FrictionByTemperature& law) {
    step.friction.place = law;
    step.friction.coefficient = law.value.front();
    const SolvedWheel wheel = solve_wheel(search, bodies, step, test::solver_on_cpu);
    CHECK(wheel.outcome == Outcome::converged);
    CHECK(wheel.track_force.z() == test::near(10000.0, 1.01e-5));
    REQUIRE(wheel.patches.size() == 1);
    CHECK(wheel.patches[0].report.elements_adhesion == 0);
    const ContactSolution& found = wheel.patches[0].solution;
    double bounds = 0.0;
    double pressures = 0.0;
    for (std::size_t i = 0; i < found.pressure.size(); ++i) {
      bounds += law.at(found.temperature_lower[i]) * found.pressure[i];
      pressures += found.pressure[i];
    }
    return Slide{wheel.track_force.x(), bounds / pressures};
  };
  const auto constant = [&](double value) {
    step.friction = {};
    step.friction.coefficient = value;
    return solve_wheel(search, bodies, step, test::solver_on_cpu).track_force.x();
  };
  FrictionByTemperature law;
  law.temperature = {0.0, 100.0};
  law.value = {0.3, 0.3};
  const double cold = constant(0.3);
  CHECK(slide(law).force_x == test::near(cold, 1e-4));  // forces are met to 1e-5
  law.value = {0.3, 0.1};
  const Slide falling = slide(law);
  CHECK(falling.friction > 0.25);  // warmed by less than 25 of the 100 degrees
  CHECK(falling.friction < 0.29);
  // Slip has the same direction nearly everywhere.
  CHECK(falling.force_x / cold == test::near(falling.friction / 0.3, 5e-4));
  // The bodies are above the law's last temperature: its last value everywhere.
  for (ThermalBody& body : bodies.surface.heat->bodies) body.temperature = 150.0;
  CHECK(slide(law).force_x == test::near(constant(0.1), 1e-4));
}

TEST_SUITE_END();

}  // namespace slipfield
