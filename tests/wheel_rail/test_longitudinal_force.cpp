// SPDX-License-Identifier: Apache-2.0
// A wheel, or both, under a longitudinal force: the pitch velocity that gives it.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "solver/error.h"
#include "solver/wheel_rail/force/wheel_under_force.h"
#include "solver/wheel_rail/wheelset/roll_and_pitch.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"
#include "tests/support/near.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

WheelRailSearch coarse_search() {
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = 0.5;
  return {test::manchester_wheel(), test::manchester_rail(), settings};
}

WheelStep braking_step(Side side) {
  WheelStep step;
  step.position.side = side;
  Wheelset& set = step.position.wheelset;
  set.y = side == Side::right ? -1.5 : 1.5;
  set.yaw = 0.002;
  set.velocity_x = 2000.0;
  set.velocity_pitch = -2000.0 / 460.0;
  step.vertical_force = 20000.0;
  step.friction.coefficient = 0.3;
  return step;
}

// A wheelset's position, friction and forces; the longitudinal one is that of each wheel or of the
// axle.
struct AxlePlace {
  double y, yaw, friction, left, right;
  double longitudinal = 0.0;
};
WheelsetStep rolling_at(const AxlePlace& place) {
  WheelsetStep step;
  for (const Side side : {Side::left, Side::right}) {
    WheelStep wheel;
    wheel.position.side = side;
    Wheelset& set = wheel.position.wheelset;
    set.y = place.y;
    set.yaw = place.yaw;
    set.velocity_x = 20000.0;
    set.velocity_pitch = -20000.0 / 460.0;
    wheel.vertical_force = side == Side::left ? place.left : place.right;
    wheel.longitudinal_force = place.longitudinal;
    wheel.friction.coefficient = place.friction;
    step.wheels.push_back(wheel);
  }
  return step;
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("pitch search: a force is met up to 99.9 % of the friction, in a dozen evaluations") {
  // Johnson and Vermeulen's curve, with the stiffness taken too high or too low.
  const auto curve = [](double pitch) {
    const double u = std::min(std::fabs(pitch + 3.0) * 40.0, 3.0);
    return std::copysign(1000.0 * (1.0 - std::pow(1.0 - u / 3.0, 3)), pitch + 3.0);
  };
  for (const double wrong : {0.2, 1.0, 6.0})
    for (const double force : {-999.0, -500.0, 0.0, 3.0, 800.0, 999.0}) {
      CAPTURE(wrong);
      CAPTURE(force);
      int calls = 0;
      double last = 0.0;
      const PitchTask task{force, 0.01, -3.01, 40000.0 * wrong, 1000.0, 3.0};
      const PitchResult found = find_pitch(task, [&](double pitch) {
        ++calls;
        last = pitch;
        return curve(pitch);
      });
      CHECK(found.met);
      CHECK(std::fabs(curve(found.pitch) - force) <= 0.01);
      CHECK(last == found.pitch);
      CHECK(calls <= 16);
    }
}

TEST_CASE("pitch search: where the linear theory holds, its pitch is the one") {
  int calls = 0;
  PitchTask task{3.0, 0.01, -3.01, 40000.0, 1000.0, 3.0};
  task.linear_force = -400.0;
  const PitchResult found = find_pitch(task, [&](double pitch) {
    ++calls;
    const double u = std::min(std::fabs(pitch + 3.0) * 40.0, 3.0);
    return std::copysign(1000.0 * (1.0 - std::pow(1.0 - u / 3.0, 3)), pitch + 3.0);
  });
  CHECK(found.met);
  CHECK(calls == 1);
}

TEST_CASE("pitch search: beyond the friction one evaluation, beyond the curve the nearest force") {
  int calls = 0;
  const auto weak = [&](double pitch) {  // half of the friction goes across
    ++calls;
    return 500.0 * std::tanh(20.0 * pitch);
  };
  const PitchResult beyond = find_pitch({1000.0, 0.01, 0.1, 1e4, 1000.0, 4.0}, weak);
  CHECK_FALSE(beyond.met);
  CHECK(calls == 1);
  CHECK(beyond.pitch == 0.1);
  const PitchResult far = find_pitch({700.0, 0.01, 0.0, 1e4, 1000.0, 4.0}, weak);
  CHECK_FALSE(far.met);
  CHECK(far.force == test::near(500.0));
}

TEST_CASE("axle search: two conditions that both bend with both unknowns are met together") {
  // Johnson and Vermeulen's curve; the roll acts on the force, and the pitch on the heights.
  const auto solve_at = [](double roll, double pitch) {
    const double u = std::clamp((pitch + 3.0 + 200.0 * (roll + 0.004)) * 40.0, -3.0, 3.0);
    const double force = std::copysign(1000.0 * (1.0 - std::pow(1.0 - std::fabs(u) / 3.0, 3)), u);
    const double difference = -500.0 * (roll + 0.004) - 2e5 * std::pow(roll + 0.004, 2) -
                              0.3 * (pitch + 3.0) + 1e-4 * (force + 100.0);
    return AxleTry{roll, pitch, difference, force};
  };
  for (const double slope : {-1500.0, -300.0})
    for (const double stiffness : {20000.0, 80000.0}) {
      CAPTURE(slope);
      CAPTURE(stiffness);
      PitchTask task{-100.0, 1e-3, -3.01, stiffness, 1000.0, 3.0};
      int calls = 0;
      AxleTry last;
      const AxleResult found = find_roll_and_pitch({task, 4e-7, slope}, solve_at(-0.0045, -3.01),
                                                   [&](double roll, double pitch) {
                                                     ++calls;
                                                     return last = solve_at(roll, pitch);
                                                   });
      CHECK(found.met);
      CHECK(std::fabs(found.axle.force + 100.0) <= 1e-3);
      CHECK(std::fabs(found.axle.difference) <= 4e-7);
      CHECK(last.roll == found.axle.roll);
      CHECK(last.pitch == found.axle.pitch);
      CHECK(calls <= 25);
    }
}

TEST_SUITE_END();
TEST_SUITE_BEGIN("analytic");

TEST_CASE("wheel solver: the force that a pitch velocity gives, asked for, gives that velocity") {
  WheelRailSearch search = coarse_search();
  for (const Side side : {Side::left, Side::right})
    for (const bool shifts : {false, true}) {
      CAPTURE(shifts);
      WheelStep step = braking_step(side);
      if (shifts) {
        step.position.shifts = true;
        Wheelset& set = step.position.wheelset;
        set.velocity_x = 0.0;
        set.velocity_y = 0.002;
      }
      const double start = shifts ? 0.0 : step.position.wheelset.velocity_pitch;
      step.position.wheelset.velocity_pitch = shifts ? 1e-5 : 1.0008 * start;
      const SolvedWheel known =
          solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
      REQUIRE(known.outcome == Outcome::converged);
      CHECK(std::isnan(known.pitch_velocity));
      const double force = known.wheelset_force.x();
      REQUIRE(std::fabs(force) > 300.0);
      WheelStep asking = step;
      asking.position.wheelset.velocity_pitch = start;
      asking.longitudinal_force = force;
      const SolvedWheel found =
          solve_wheel(search, test::steel_on_steel(), asking, test::solver_on_cpu);
      CHECK(found.outcome == Outcome::converged);
      // Forces are met to 1e-5 of the friction's 6 kN at most.
      CHECK(std::fabs(found.wheelset_force.x() - force) <= 0.06);
      CHECK(found.track_force.z() == test::near(20000.0, 1.01e-5));
      const double moved = step.position.wheelset.velocity_pitch - start;
      CHECK(found.pitch_velocity - start == test::near(moved, 1e-3));
      CHECK(found.z == test::near(known.z, 1e-5));
      // A pitch velocity each, of which the first one is not the last; once more at another height.
      CHECK(found.complete_solutions >= known.complete_solutions + 2);
      CHECK(found.positions <= known.positions + 2);
    }
}

TEST_CASE("wheel solver: a force beyond the friction is not met, in one sentence") {
  WheelRailSearch search = coarse_search();
  WheelStep step = braking_step(Side::right);
  step.longitudinal_force = -7000.0;
  const SolvedWheel wheel = solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
  CHECK(wheel.outcome == Outcome::not_converged);
  CAPTURE(wheel.message);
  CHECK(wheel.message.find("no pitch velocity gives the longitudinal force -7000 N: mu F_n of all "
                           "contacts is 59") != std::string::npos);
  CHECK(wheel.track_force.z() == test::near(20000.0, 1.01e-5));
}

TEST_CASE("wheelset: both wheels share one pitch velocity, and their sum is the force") {
  std::array<WheelRailSearch, 2> searches{coarse_search(), coarse_search()};
  WheelsetStep step;
  for (const Side side : {Side::left, Side::right}) {
    WheelStep wheel = braking_step(side);
    wheel.position.wheelset.y = 1.0;
    wheel.longitudinal_force = -1500.0;
    step.wheels.push_back(wheel);
  }
  const SolvedWheelset solved =
      solve_wheelset(searches, test::steel_on_steel(), step, test::solver_on_cpu);
  CHECK(solved.outcome == Outcome::converged);
  CHECK(solved.wheels[0].wheelset_force.x() + solved.wheels[1].wheelset_force.x() ==
        test::near(-1500.0, 1e-4));
  // Rolling with a force on the rail against the way is faster than rolling without slip.
  CHECK(solved.pose.pitch_velocity < -2000.0 / 460.0);
  CHECK(solved.wheels[0].pitch_velocity == solved.wheels[1].pitch_velocity);
  CHECK(solved.wheels[0].z == test::within(solved.wheels[1].z, 4e-7));
  // The search costs more than the solution at the pitch velocity that it finds, but not much: each
  // pitch begins at the solution before.
  WheelsetStep there = step;
  for (WheelStep& wheel : there.wheels) {
    wheel.longitudinal_force.reset();
    wheel.position.wheelset.velocity_pitch = solved.pose.pitch_velocity;
  }
  const SolvedWheelset once =
      solve_wheelset(searches, test::steel_on_steel(), there, test::solver_on_cpu);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(solved.wheels[i].positions > once.wheels[i].positions);
    CHECK(solved.wheels[i].positions <= 3 * once.wheels[i].positions);
    CHECK(solved.wheels[i].complete_solutions > once.wheels[i].complete_solutions);
    CHECK(solved.wheels[i].track_force.z() == test::near(20000.0, 1.01e-5));
    // Both meet the vertical force, the height and the roll to 1e-5.
    const Eigen::Vector3d difference = solved.wheels[i].track_force - once.wheels[i].track_force;
    CHECK(difference.norm() <= 5e-5 * once.wheels[i].track_force.norm());
  }
  // 2 x 20 kN x 0.3 = 12 kN is less than what is asked for: one sentence, and both rails carry
  // their forces.
  WheelsetStep beyond = step;
  for (WheelStep& wheel : beyond.wheels) wheel.longitudinal_force = -14000.0;
  const SolvedWheelset missed =
      solve_wheelset(searches, test::steel_on_steel(), beyond, test::solver_on_cpu);
  CHECK(missed.outcome == Outcome::not_converged);
  CAPTURE(missed.message);
  const std::string said =
      "no pitch velocity gives the longitudinal force -14000 N: mu F_n of all contacts is 1";
  CHECK(missed.message.find(said) != std::string::npos);
  CHECK(missed.message.find("no pitch velocity", missed.message.find(said) + 1) ==
        std::string::npos);
  for (const SolvedWheel& wheel : missed.wheels)
    CHECK(wheel.track_force.z() == test::near(20000.0, 1.01e-5));
}

// Friction carries much of the wheel on a steep flange, the more the steeper the place where it
// touches: the height found with one share of friction led to another share further off.
TEST_CASE("wheel solver: a wheel that climbs with friction carries both of its forces") {
  struct Place {
    double y, yaw, roll, friction, vertical, longitudinal;
  };
  for (const Place& place : {Place{5.57899, -0.00916, -0.00281, 0.51755, 87248.7, -1440.9},
                             Place{5.83203, -0.00539, -0.00184, 0.53551, 65561.6, 1719.98},
                             Place{6.69952, -0.00963, -0.00297, 0.45375, 10132.0, -407.63}}) {
    CAPTURE(place.y);
    WheelRailSearch search = coarse_search();
    WheelStep step;
    step.position.side = Side::right;
    Wheelset& set = step.position.wheelset;
    set.y = place.y;
    set.yaw = place.yaw;
    set.roll = place.roll;
    set.velocity_x = 20000.0;
    set.velocity_pitch = -20000.0 / 460.0;
    step.friction.coefficient = place.friction;
    step.vertical_force = place.vertical;
    step.longitudinal_force = place.longitudinal;
    const SolvedWheel found =
        solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
    CHECK(found.message == "");
    CHECK(found.complete_solutions <= 20);
    // Solved once at the height and the pitch velocity found, without a search.
    set.z = found.z;
    set.velocity_pitch = found.pitch_velocity;
    step.vertical_force.reset();
    step.longitudinal_force.reset();
    const SolvedWheel there =
        solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
    double friction = 0.0;
    for (const SolvedPatch& patch : there.patches)
      friction += place.friction * patch.report.normal_force;
    // The solver's tolerance adds 1e-6 of the friction to that of each search.
    CHECK(there.track_force.z() ==
          test::within(place.vertical, 1e-5 * place.vertical + 2e-6 * friction));
    CHECK(there.wheelset_force.x() == test::within(place.longitudinal, 4e-6 * friction));
  }
}

// Deeper, the contact reaches elements that are over no surface of the wheel when it is less deep:
// pressures carried to them made the next heights, and all that began from those, fail.
TEST_CASE(
    "wheel solver: from a deep contact the search returns to where parts of it do not exist") {
  WheelRailSearch search = coarse_search();
  WheelStep step;
  step.position.side = Side::left;
  Wheelset& set = step.position.wheelset;
  set.y = -2.6827;
  set.yaw = 0.02212;
  set.roll = 0.00894;
  set.velocity_x = 20000.0;
  set.velocity_y = 38.653;
  set.velocity_yaw = 0.0138;
  set.velocity_pitch = -20000.0 / 460.0;
  step.friction.coefficient = 0.391;
  step.vertical_force = 102612.7;
  const SolvedWheel found = solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
  CHECK(found.message == "");
  CHECK(found.track_force.z() == test::near(102612.7, 1e-5));
  CHECK(found.positions <= 40);  // 130 from starts that failed
}

TEST_CASE("wheel solver: a start loads no element over which there is no surface") {
  ContactPatch patch;
  patch.distance = {0.0, std::numeric_limits<double>::infinity(), 0.1};
  SolverState state{{"pressure", {3.0, 2.0, 1.0}}, {"displacement_n", {0.3, 0.2, 0.1}}};
  unload_unreachable(patch, state);
  CHECK(state["pressure"] == std::vector{3.0, 0.0, 1.0});
  CHECK(state["displacement_n"] == std::vector{0.3, 0.2, 0.1});
}

TEST_CASE("wheelset: independent wheels in flange contact take few complete solutions") {
  std::array<WheelRailSearch, 2> searches{coarse_search(), coarse_search()};
  struct Row {
    AxlePlace place;
    int most;  // twice as many without what one height and one roll leave for the next
  };
  for (const auto& [place, most] : {Row{{-6.7184, -0.00406, 0.32107, 103440.6, 116175.5}, 85},
                                    Row{{6.77576, 0.00367, 0.35098, 71871.5, 83301.5}, 60},
                                    Row{{1.5, 0.002, 0.3, 50000.0, 60000.0}, 20}}) {
    CAPTURE(place.y);
    WheelsetStep step = rolling_at(place);
    step.independent_wheels = true;
    const SolvedWheelset solved =
        solve_wheelset(searches, test::steel_on_steel(), step, test::solver_on_cpu);
    CHECK(solved.message == "");
    int complete = 0;
    for (const SolvedWheel& wheel : solved.wheels) {
      complete += wheel.complete_solutions;
      const double wanted = wheel.side == Side::left ? place.left : place.right;
      CHECK(wheel.track_force.z() == test::near(wanted, 1.01e-5));
      double friction = 0.0;
      for (const SolvedPatch& patch : wheel.patches)
        friction += place.friction * patch.report.normal_force;
      CHECK(std::fabs(wheel.wheelset_force.x()) <= 1.1e-6 * friction);  // 1e-5 of a tenth
    }
    CHECK(std::fabs(solved.wheels[0].z - solved.wheels[1].z) <= 4.1e-7);
    CHECK(complete <= most);
  }
}

// The roll at which both rails carry their forces changes the longitudinal force much there: it was
// improved once at each pitch velocity, from which no pitch velocity followed.
TEST_CASE(
    "wheelset: in flange contact an axle rolls or brakes, and both rails carry their forces") {
  for (const AxlePlace& place :
       {AxlePlace{6.618686700747265, -0.00013840114194311678, 0.428863916913944, 95527.4684008152,
                  80025.73148404583},
        AxlePlace{6.547963501475653, -0.005323773002896894, 0.4144671606238671, 90552.7313025388,
                  81246.98358259446},
        AxlePlace{6.843618612298391, -0.0077169966699509795, 0.3329961491211333, 16179.170766635201,
                  101197.3318045879},
        // whose estimated heights jump
        AxlePlace{6.847076230664669, -0.004233424678363871, 0.15353690971129078, 48385.4345800621,
                  112928.83460142063},
        // met in another attempt only
        AxlePlace{-6.579063766453085, -0.004289525846040212, 0.4464522765650084, 48320.28809956488,
                  65748.85005360475},
        AxlePlace{-6.718410365070502, -0.004064844632211011, 0.3210658384083829, 103440.64523084906,
                  116175.4562921113, 20547.160667178778}}) {
    CAPTURE(place.y);
    std::array<WheelRailSearch, 2> searches{coarse_search(), coarse_search()};
    const WheelsetStep step = rolling_at(place);
    const SolvedWheelset solved =
        solve_wheelset(searches, test::steel_on_steel(), step, test::solver_on_cpu);
    CHECK(solved.message == "");
    const SolvedWheel& left = solved.wheels[0];
    const SolvedWheel& right = solved.wheels[1];
    // 1e-5 of a tenth of the friction of all contacts, which the search takes from its first pitch.
    double friction = 0.0;
    for (const SolvedWheel& wheel : solved.wheels)
      for (const SolvedPatch& patch : wheel.patches)
        friction += place.friction * patch.report.normal_force;
    CHECK(left.wheelset_force.x() + right.wheelset_force.x() ==
          test::within(place.longitudinal, 1.3e-6 * friction + 1e-5 * place.longitudinal));
    CHECK(left.track_force.z() == test::near(place.left, 1.01e-5));
    CHECK(right.track_force.z() == test::near(place.right, 1.01e-5));
    CHECK(left.z == test::within(right.z, 2e-6));  // a flange gives way by this under 1e-5
    CHECK(left.pitch_velocity == right.pitch_velocity);
  }
}

// Friction holds the left wheel up until its flange is millimetres deep in the rail: the heights
// led the roll about for 2000 normal problems.
TEST_CASE("wheelset: an axle whose wheel is wedged is refused soon, with the forces of the wheel") {
  std::array<WheelRailSearch, 2> searches{coarse_search(), coarse_search()};
  const WheelsetStep step = rolling_at({-7.811880526014623, 0.0356402982722546, 0.8352780512502522,
                                        44053.75463312208, 59553.992452092054, -37921.30106712597});
  int solvers = 0;
  const SolverMaker counting = [&](const ContactProblem& problem) {
    ++solvers;
    return test::solver_on_cpu(problem);
  };
  std::string sentence;
  try {
    solve_wheelset(searches, test::steel_on_steel(), step, counting);
  } catch (const InputError& error) {
    sentence = error.what();
  }
  CAPTURE(sentence);
  CHECK(sentence.find("the left wheel is wedged: its lateral force of ") != std::string::npos);
  CHECK(sentence.find(" times its vertical force of 4405") != std::string::npos);
  CAPTURE(solvers);
  CHECK(solvers <= 400);  // one or two a height
}

TEST_SUITE_END();

}  // namespace slipfield
