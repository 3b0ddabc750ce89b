// SPDX-License-Identifier: Apache-2.0
// Friction over the rail, wear and heat of a wheel's contacts, rails placed by their origin.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "solver/wheel_rail/placement.h"
#include "solver/wheel_rail/surface/rail_friction.h"
#include "solver/wheel_rail/surface/worn_profile.h"
#include "solver/wheel_rail/wheel_solver.h"
#include "tests/support/near.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

constexpr double kInDegrees = std::numbers::pi / 180.0;

// .2 at the gauge corner to .4 on the tread.
WheelStep greased_step(const test::ManchesterCase& entry) {
  WheelStep step;
  step.position = test::manchester_position(entry);
  step.vertical_force = 10000.0;
  step.friction.coefficient = 0.4;
  step.friction.place = FrictionAlongY{{-2.0 * kInDegrees, -0.5 * kInDegrees}, {0.2, 0.4}};
  step.friction_by_inclination = true;
  return step;
}

enum class Rail { as_it_is, canted };

// With a rail as it is at y = -5.25 there are two contacts.
WheelStep wearing_step(Side side, double y, Rail rail) {
  WheelStep step;
  step.position.side = Side::left;
  step.position.wheelset.y = y;
  step.position.wheelset.velocity_x = 2000.0;
  step.position.wheelset.velocity_pitch = -2000.0 / 459.0;
  if (rail == Rail::canted) {
    step.position.wheelset.yaw = 0.002;
    step.position.track.cant = 0.01;
    step.position.track.rail_roll = 0.004;
  }
  step.vertical_force = 20000.0;
  step.friction.coefficient = 0.3;
  if (side == Side::right) step.position = mirrored(step.position);
  return step;
}

PatchSettings coarse_patches() {
  PatchSettings settings;
  settings.spacing_x = 0.4;
  settings.spacing_y = 0.4;
  settings.merge_distance = 1.0;
  return settings;
}

ContactProblem wearing_bodies() {
  ContactProblem bodies = test::steel_on_steel();
  WearRequest wear;
  wear.coefficient.value = {1.0e-4};
  wear.hardness = 3000.0;
  wear.passes = 20000.0;
  bodies.surface.wear = wear;
  const ThermalBody steel{0.05, 450.0, 7.85e-6, 0.0};
  ThermalBody warm = steel;
  warm.temperature = 30.0;
  bodies.surface.heat = HeatRequest{{steel, warm}};
  bodies.surface.fatigue = FatigueRequest{300.0};
  return bodies;
}

// Between the curves of two profiles with the same ends, by the shoelace formula [mm^2].
double area_between(const Profile& a, const Profile& b) {
  std::vector<ProfilePoint> loop;
  constexpr int kSamples = 40000;
  const auto add = [&](const SplineCurve& curve, double part) {
    const auto at = curve.at(curve.first() + part * (curve.last() - curve.first()));
    loop.push_back({at.y(), at.z()});
  };
  for (int i = 0; i <= kSamples; ++i) add(a.curve, static_cast<double>(i) / kSamples);
  for (int i = kSamples; i >= 0; --i) add(b.curve, static_cast<double>(i) / kSamples);
  double twice = 0.0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const ProfilePoint& p = loop[i];
    const ProfilePoint& q = loop[(i + 1) % loop.size()];
    twice += p.y * q.z - q.y * p.z;
  }
  return 0.5 * std::fabs(twice);
}

}  // namespace

TEST_SUITE_BEGIN("analytic");

// Computed with CONTACT's sources of 2025, V = 1: printed to four digits.
TEST_CASE(
    "rail friction: a coefficient by the inclination, cases 1, 2, 11 of Manchester [CONTACT]") {
  struct Printed {
    std::size_t number;
    double mu, fn, fx, fs, mn, power;
    std::int64_t adhesion, contact;
    double fy_tr;
  };
  constexpr std::array kPrinted{
      Printed{1, .2451, 9997, 27.83, 247.6, 4234, -.4480, 880, 1291, -42.26},
      Printed{2, .3053, 10050, 895.7, -2391, 1378, -6.091, 351, 989, -2603},
      Printed{11, .397, 10030, 1111, -3822, 74.48, -98.24, 0, 692, -3910}};
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const auto cases = test::manchester_cases();
  for (const Printed& printed : kPrinted) {
    CAPTURE(printed.number);
    const WheelStep step = greased_step(cases[printed.number - 1]);
    const SolvedWheel wheel =
        solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
    CHECK(wheel.outcome == Outcome::converged);
    REQUIRE(wheel.patches.size() == 1);
    const SolvedPatch& patch = wheel.patches[0];
    const StepReport& report = patch.report;
    // mu: a unit of the last digit noted.
    CHECK(std::fabs(report.friction_coefficient - printed.mu) <=
          (printed.number == 11 ? 1e-3 : 1e-4));
    // Six tenths of the last digit: what is printed is rounded, and F_z is met to 1e-5.
    CHECK(std::fabs(report.normal_force - printed.fn) <= 6.0);
    CHECK(std::fabs(report.force_x - printed.fx) <= (printed.fx > 1000.0 ? 0.6 : 0.06));
    CHECK(std::fabs(report.force_y - printed.fs) <= (printed.number == 1 ? 0.06 : 0.6));
    CHECK(std::fabs(report.moment_z - printed.mn) <= (printed.number == 11 ? 0.006 : 0.6));
    const Tangential& rolling = patch.input.tangential;
    const double power = report.friction_work * rolling.velocity / rolling.step / 1000.0;
    CHECK(power == test::near(printed.power, 6e-4));
    CHECK(std::fabs(wheel.track_force.y() - printed.fy_tr) <= (printed.number == 1 ? 0.006 : 0.6));
    CHECK(report.elements_adhesion == printed.adhesion);
    CHECK(report.elements_contact == printed.contact);
  }
}

TEST_CASE("wheel surface: T-gamma is forces times creepages, and all that friction loses is heat") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), coarse_patches());
  const SolvedWheel wheel =
      solve_wheel(search, wearing_bodies(), wearing_step(Side::left, -5.25, Rail::as_it_is),
                  test::solver_on_cpu);
  REQUIRE(wheel.patches.size() == 2);
  double power = 0.0;
  double heat = 0.0;
  for (const SolvedPatch& patch : wheel.patches) {
    const SurfaceNumbers& numbers = patch.report.surface;
    const Tangential& rolling = patch.input.tangential;
    const StepReport& report = patch.report;
    CHECK(*numbers.t_gamma_elements == test::near(-report.friction_work / rolling.step, 1e-12));
    CHECK(*numbers.t_gamma_spin == test::near(-report.moment_z * report.rotation));
    CHECK(*numbers.t_gamma ==
          test::near(-report.force_x * report.rigid_x - report.force_y * report.rigid_y -
                         report.moment_z * report.rotation,
                     1e-12));
    CHECK(*numbers.used_friction <= 0.3 * (1.0 + 1e-9));
    power += *numbers.t_gamma_elements * rolling.velocity;
    heat += *numbers.heat_upper + *numbers.heat_lower;
    CHECK(patch.solution.wear_profile.size() == static_cast<std::size_t>(patch.patch.grid.my));
  }
  // All of the friction heats. 1 %: heat is summed over rows with ends off elements.
  CHECK(heat == test::near(power, 0.01));
}

TEST_CASE("worn profile: what is missing of rail and wheel is the worn area, on either side") {
  const auto wheel_profile = test::manchester_wheel();
  const auto rail_profile = test::manchester_rail();
  WheelRailSearch search(wheel_profile, rail_profile, coarse_patches());
  for (const Rail rail : {Rail::as_it_is, Rail::canted}) {
    std::array<std::vector<ProfilePoint>, 2> of_sides;
    for (const Side side : {Side::left, Side::right}) {
      const WheelStep step = wearing_step(side, -5.25, rail);
      const SolvedWheel wheel = solve_wheel(search, wearing_bodies(), step, test::solver_on_cpu);
      REQUIRE(wheel.patches.size() == (rail == Rail::canted ? 1 : 2));
      for (const ProfileRole role : {ProfileRole::rail, ProfileRole::wheel}) {
        const Profile& profile = role == ProfileRole::rail ? *rail_profile : *wheel_profile;
        std::vector<WornContact> contacts;
        for (const SolvedPatch& patch : wheel.patches)
          contacts.push_back(
              worn_contact(role, patch.patch, step.position, patch.solution.wear_profile));
        const std::vector<ProfilePoint> points = worn_points(profile, contacts);
        const Profile worn =
            canonical_profile(role, points, {.mirror_y = false, .mirror_z = false});
        CHECK(worn.warnings.empty());
        // Lines between rows 0.4 mm apart, and surfaces that turn away from the plane along whose
        // normal they wear: 1 %.
        CHECK(area_between(profile, worn) ==
              test::near(test::sum_over(wheel, &SurfaceNumbers::worn_area), 0.01));
        if (role == ProfileRole::rail) of_sides[side == Side::left ? 0 : 1] = points;
      }
    }
    REQUIRE(of_sides[0].size() == of_sides[1].size());  // of one profile in its canonical form
    for (std::size_t i = 0; i < of_sides[0].size(); ++i) {
      CHECK(std::fabs(of_sides[0][i].y - of_sides[1][i].y) <= 1e-6);
      CHECK(std::fabs(of_sides[0][i].z - of_sides[1][i].z) <= 1e-6);
    }
  }
}

TEST_CASE("wheel surface: a mirrored wheel has the same friction, wear and heat, mirrored forces") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), coarse_patches());
  std::array<SolvedWheel, 2> solved;
  for (const Side side : {Side::left, Side::right}) {
    WheelStep step = wearing_step(side, 1.0, Rail::canted);
    step.friction.place = FrictionAlongY{{-2.0 * kInDegrees, 0.0}, {0.2, 0.4}};
    step.friction_by_inclination = true;
    solved[side == Side::left ? 0 : 1] =
        solve_wheel(search, wearing_bodies(), step, test::solver_on_cpu);
  }
  const SolvedWheel& a = solved[0];
  const SolvedWheel& b = solved[1];
  REQUIRE(a.patches.size() == b.patches.size());
  REQUIRE_FALSE(a.patches.empty());
  CHECK(a.z == test::near(b.z, 1e-9));
  // Rows are solved in the other order: as far as the solver converges.
  constexpr double kConverged = 1e-5;
  CHECK(a.track_force.x() == test::near(b.track_force.x(), kConverged));
  CHECK(a.track_force.y() == test::near(-b.track_force.y(), kConverged));
  CHECK(a.track_moment.x() == test::near(-b.track_moment.x(), kConverged));
  CHECK(a.track_moment.z() == test::near(-b.track_moment.z(), kConverged));
  for (const auto number : {&SurfaceNumbers::t_gamma, &SurfaceNumbers::worn_area})
    CHECK(test::sum_over(a, number) == test::near(test::sum_over(b, number), kConverged));
  for (std::size_t i = 0; i < a.patches.size(); ++i) {
    const SolvedPatch& left = a.patches[i];
    const SolvedPatch& right = b.patches[i];
    CHECK(left.patch.angle == test::near(-right.patch.angle, 1e-9));
    CHECK(left.report.friction_coefficient == test::near(right.report.friction_coefficient, 1e-9));
    CHECK(left.patch.creepages.x == test::near(right.patch.creepages.x, 1e-7));
    CHECK(left.patch.creepages.y == test::near(-right.patch.creepages.y, 1e-7));
    CHECK(left.patch.creepages.spin == test::near(-right.patch.creepages.spin, 1e-7));
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("unit");

TEST_CASE("rail friction: inclinations count from the axle, the gauge corner is below 0") {
  ContactPatch patch;
  patch.angle = -0.03;  // of a right rail: rises to the field side
  WheelRailPosition position;
  position.wheelset.roll = 0.01;
  CHECK(contact_inclination(patch, position) == test::near(-0.04, 1e-15));
  patch.angle = -patch.angle;
  CHECK(contact_inclination(patch, mirrored(position)) == test::near(-0.04, 1e-15));
}

TEST_CASE("rail friction: coefficients and laws are linear between places, constant beyond them") {
  Friction over;
  over.coefficient = 0.4;
  over.place = FrictionAlongY{{-0.03, -0.01}, {0.2, 0.4}};
  CHECK(friction_at(over, -0.015).coefficient == test::near(0.35, 1e-14));
  CHECK(friction_at(over, -1.0).coefficient == 0.2);
  CHECK(friction_at(over, 1.0).coefficient == 0.4);
  CHECK_FALSE(friction_at(over, 0.0).varies());
  Friction law;
  law.law = FrictionLaw::exponential;
  law.along_y = {{-0.03, {{100.0, 0.0, 0.0}, FrictionLaw::exponential, 0.3, 0.1}},
                 {-0.01, {{300.0, 0.0, 0.0}, FrictionLaw::exponential, 0.5, 0.2}}};
  const Friction middle = friction_at(law, -0.02);
  CHECK(middle.along_y.empty());
  CHECK(middle.coefficient == test::near(0.4, 1e-14));
  CHECK(*middle.kinetic == test::near(0.15, 1e-14));
  CHECK(middle.half_velocity == test::near(200.0, 1e-14));
  Friction everywhere;
  everywhere.coefficient = 0.25;
  CHECK(friction_at(everywhere, 0.1) == everywhere);
}

TEST_CASE("wheel surface: without friction nothing wears, and fatigue still has its point") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), coarse_patches());
  WheelStep step = wearing_step(Side::right, 1.0, Rail::canted);
  step.friction.coefficient = 0.0;
  const SolvedWheel wheel = solve_wheel(search, wearing_bodies(), step, test::solver_on_cpu);
  REQUIRE(wheel.patches.size() == 1);
  const SurfaceNumbers& numbers = wheel.patches[0].report.surface;
  CHECK_FALSE(numbers.t_gamma.has_value());
  CHECK_FALSE(numbers.heat_upper.has_value());
  CHECK_FALSE(numbers.max_temperature.has_value());
  CHECK(*numbers.used_friction == 0.0);
}

TEST_CASE("placement: a rail at the origin that its gauge gives is the same rail") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), coarse_patches());
  for (const Side side : {Side::left, Side::right}) {
    WheelRailPosition by_gauge = wearing_step(side, 1.0, Rail::canted).position;
    by_gauge.wheelset.z = 0.25;
    WheelRailPosition by_origin = by_gauge;
    Track unmoved = by_gauge.track;
    unmoved.rail_roll = unmoved.rail_y = unmoved.rail_z = 0.0;
    const Eigen::Vector3d origin = place_rail(*test::manchester_rail(), unmoved).frame.origin;
    const double sign = side == Side::left ? -1.0 : 1.0;
    by_origin.track.rail_origin = {sign * origin.y(), origin.z()};
    by_origin.track.gauge = 0.0;  // does not count
    const auto a = search.patches(by_gauge);
    const auto b = search.patches(by_origin);
    REQUIRE(a.size() == b.size());
    REQUIRE_FALSE(a.empty());
    CHECK((a[0].frame.origin - b[0].frame.origin).norm() <= 1e-9);
    CHECK(a[0].penetration == test::near(b[0].penetration, 1e-9));
    CHECK(a[0].creepages.spin == test::near(b[0].creepages.spin, 1e-9));
    by_origin.track.rail_origin->front() += 0.3;  // to the right, as an irregularity moves it
    by_gauge.track.rail_y += 0.3;
    CHECK(search.nearest(by_origin).rail_y == test::near(search.nearest(by_gauge).rail_y, 1e-9));
  }
}

TEST_SUITE_END();

}  // namespace slipfield
