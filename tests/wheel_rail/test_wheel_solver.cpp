// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "solver/error.h"
#include "solver/geometry/hertz_ellipse.h"
#include "solver/simplified/kalker_coefficients.h"
#include "solver/wheel_rail/force/carried_contacts.h"
#include "solver/wheel_rail/force/wheel_under_force.h"
#include "solver/wheel_rail/height_search.h"
#include "solver/wheel_rail/wheel_solver.h"
#include "tests/support/near.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

WheelStep manchester_step(const test::ManchesterCase& entry) {
  WheelStep step;
  step.position = test::manchester_position(entry);
  step.vertical_force = 10000.0;
  step.friction.coefficient = 0.3;
  return step;
}

// A vertical force as a function of the height, and what of it the complete solution adds.
struct ForceCurve final : LoadedWheel {
  std::function<double(double)> normal;
  double completed = 1.0;  // the complete solution's force over the first normal problem's
  double known = 1.0;
  double doubts = 0.0;  // until there is one
  double z = 0.0;
  int calls = 0;
  int completions = 0;

  double normal_problem(double height) override {
    ++calls;
    z = height;
    return known * normal(z);
  }
  [[nodiscard]] double doubt() const override { return completions == 0 ? doubts : 0.0; }
  double complete(Exactness /*exactness*/) override {
    ++completions;
    known = completed;
    return known * normal(z);
  }
};

// Units of the last of four significant digits between a number and how it was printed.
double units_off(double value, double printed) {
  if (printed == 0.0) return std::fabs(value) < 1e-6 ? 0.0 : 1e9;
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(printed))) - 3.0);
  return std::fabs(value - printed) / unit;
}

}  // namespace

TEST_SUITE_BEGIN("unit");

// The mesh of the wheel ended with its last whole row before the profile's end, so that up to a row
// of the deepest elements was missing: the force was zero, and then more than twice the one asked
// for.
TEST_CASE("wheel solver: at the end of a wheel's profile the force is met at some height") {
  const std::array<std::array<double, 2>, 5> places{
      {{-70.0, 0.4}, {-72.0, 0.4}, {-75.0, 0.2}, {-80.0, 0.2}, {-80.0, 0.4}}};
  for (const auto& [y, spacing] : places) {
    CAPTURE(y);
    CAPTURE(spacing);
    PatchSettings settings;
    settings.spacing_x = settings.spacing_y = spacing;
    WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), settings);
    WheelStep step;
    step.position.wheelset.y = y;
    step.position.wheelset.velocity_x = 2000.0;
    step.position.wheelset.velocity_pitch = -2000.0 / 460.0;
    step.vertical_force = 10000.0;
    step.friction.coefficient = 0.3;
    const SolvedWheel wheel =
        solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
    CHECK(wheel.message == "");
    CHECK(wheel.track_force.z() == test::near(10000.0, 1e-5));
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("analytic");

// Both bodies are round about their axles: without friction neither can be turned by the other.
// Unless the contact's plane is inclined along the track, they are, by the force times the place.
TEST_CASE("wheel solver: a frictionless wheel that yaws on a roller turns neither of both axles") {
  for (const Side side : {Side::left, Side::right})
    for (const double yaw : {0.01, -0.04})
      for (const bool conformal : {false, true}) {
        CAPTURE(yaw);
        CAPTURE(conformal);
        PatchSettings settings;
        settings.conformal = conformal;
        settings.spacing_x = settings.spacing_y = 0.4;
        WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), settings);
        WheelStep step;
        step.position.side = side;
        step.position.track.roller_radius = 500.0;
        step.position.track.roller_pitch = 4.0;
        step.position.wheelset.y = side == Side::right ? 3.0 : -3.0;
        step.position.wheelset.yaw = yaw;
        step.position.wheelset.velocity_pitch = -4.35;
        step.vertical_force = 50000.0;
        step.friction.coefficient = 0.0;
        const SolvedWheel wheel =
            solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
        REQUIRE(wheel.outcome == Outcome::converged);
        REQUIRE(wheel.patches.size() == 1);
        const ContactPatch& patch = wheel.patches[0].patch;
        CHECK(std::fabs(patch.frame.origin.x()) >= 300.0 * std::fabs(yaw));
        Wheelset set = step.position.wheelset;
        set.z = wheel.z;
        const AxesFrame axle = place_wheel(set).axle;
        const double force = wheel.track_force.norm();
        // The place along the track is right to the first order of x/R, and the wheel's plane is
        // not exactly the roller's: (x/R)^2 of the force times the place.
        const double tolerance = 2e-3 * force * std::fabs(patch.frame.origin.x());
        CHECK(std::fabs(axle.rotation.col(1).dot(wheel.track_moment)) <= tolerance);
        const Eigen::Vector3d roller_axle(0.0, 0.0, 500.0);
        const Eigen::Vector3d about_roller =
            wheel.track_moment + (axle.origin - roller_axle).cross(wheel.track_force);
        CHECK(std::fabs(about_roller.y()) <= tolerance);
        // The reference point in the rail's profile lies on that profile.
        const SplineCurve& rail = search.rail().curve;
        const double sign = side == Side::right ? 1.0 : -1.0;
        const auto at = rail.parameter_at_y(sign * patch.on_rail.y(), SeenFrom::above);
        REQUIRE(at);
        CHECK(patch.on_rail.z() == test::within(rail.at(*at).z(), 1e-9));
      }
}

// A force that is met to 1e-5 moves a number by a tenth of a unit of its fourth digit at most. That
// tips four of 840 over where they are rounded: fz_ws of cases 6 and 19, elastic_energy of 6 and 7.
TEST_CASE("wheel solver: forces of the Manchester benchmark, 21 left wheels [CONTACT]") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  for (const test::ManchesterCase& entry : test::manchester_cases()) {
    CAPTURE(entry.at("case"));
    const SolvedWheel wheel =
        solve_wheel(search, test::steel_on_steel(), manchester_step(entry), test::solver_on_cpu);
    CHECK(wheel.outcome == Outcome::converged);
    CHECK(wheel.positions <= 5);
    CHECK(wheel.complete_solutions <= 2);
    REQUIRE(wheel.patches.size() == 1);
    const SolvedPatch& patch = wheel.patches[0];
    const StepReport& report = patch.report;
    const Tangential& rolling = patch.input.tangential;
    CHECK(std::fabs(wheel.z - entry.at("z_ws")) <= 5.1e-5);  // as printed
    CHECK(std::fabs(wheel.track_force.z() - 10000.0) <= 0.1);
    CHECK(patch.patch.grid.count() == static_cast<std::size_t>(entry.at("npot")));
    CHECK(report.elements_contact == static_cast<std::int64_t>(entry.at("contact")));
    CHECK(report.elements_adhesion == static_cast<std::int64_t>(entry.at("adhesion")));
    CHECK(report.elements_slip == static_cast<std::int64_t>(entry.at("slip")));
    const auto agrees = [&](const char* name, double value, double units = 0.6) {
      CAPTURE(name);
      CAPTURE(value);
      CAPTURE(entry.at(name));
      CHECK(units_off(value, entry.at(name)) <= units);
    };
    // F_x of case 1, with next to no creepage, is the difference of two sides of the spin: 1e-3 of
    // it hangs on the sixth digit of the height.
    const double fx = entry.at("case") == 1.0 ? 5.0 : 0.6;
    agrees("fx_tr", wheel.track_force.x(), fx);
    agrees("fy_tr", wheel.track_force.y());
    agrees("fx_ws", wheel.wheelset_force.x(), fx);
    agrees("fy_ws", wheel.wheelset_force.y());
    agrees("fz_ws", wheel.wheelset_force.z());
    agrees("fn", report.normal_force);
    agrees("fx", report.force_x, fx);
    agrees("fs", report.force_y);
    agrees("mn", report.moment_z);
    agrees("elastic_energy", report.elastic_energy / 1000.0);
    agrees("friction_power", report.friction_work * rolling.velocity / rolling.step / 1000.0);
    agrees("approach", report.approach);
    agrees("p_max", report.max_pressure);
    agrees("veloc", rolling.velocity);
    agrees("xi", rolling.x.value);
    agrees("eta", rolling.y.value);
    agrees("phi", rolling.rotation);
    const auto is_at = [&](const char* name, double value) {
      CAPTURE(name);
      CHECK(std::fabs(value - entry.at(name)) <= 5.1e-5);  // four decimals
    };
    is_at("xcp_tr", patch.patch.frame.origin.x());
    is_at("ycp_tr", patch.patch.frame.origin.y());
    is_at("zcp_tr", patch.patch.frame.origin.z());
    is_at("delta", patch.patch.angle);
    is_at("y_r", patch.patch.on_rail.y());
    is_at("z_r", patch.patch.on_rail.z());
    is_at("x_w", patch.patch.on_wheel.x());
    is_at("y_w", patch.patch.on_wheel.y());
    is_at("z_w", patch.patch.on_wheel.z());
  }
}

TEST_CASE("wheel solver: a cone on a round rail carries Hertz's force") {
  PatchSettings settings;
  settings.spacing_x = 0.15;
  settings.spacing_y = 0.15;
  WheelRailSearch search = test::cone_on_round_rail(settings);
  WheelStep step;
  step.position.track.gauge_height = 1.0;
  step.vertical_force = 50000.0;
  const SolvedWheel wheel = solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
  REQUIRE(wheel.patches.size() == 1);
  const SolvedPatch& patch = wheel.patches[0];
  CHECK(patch.input.tangential.problem == TangentialProblem::none);  // no friction
  const double slope = std::atan(0.05);
  CHECK(patch.report.normal_force == test::near(50000.0 / std::cos(slope), 2e-5));
  // Around a cone the radius is that of the normal section, r/cos(slope).
  const double radius = (460.0 - 0.05 * patch.patch.on_wheel.y()) / std::cos(slope);
  const HertzEllipse hertz =
      hertz_ellipse(0.5 / radius, 0.5 / test::kHeadRadius,
                    {NormalControl::force, patch.report.normal_force}, 82000.0 / 0.72);
  // 80 x 60 elements in contact: 3e-4 of the approach, .1 % of the pressure.
  CHECK(patch.report.approach == test::near(hertz.approach, 1e-3));
  CHECK(patch.report.max_pressure == test::near(hertz.max_pressure, 5e-3));
}

TEST_CASE("wheel solver: forces of two contacts add up to the one asked for") {
  WheelStep step;
  step.position.side = Side::left;
  step.position.wheelset.y = -5.25;
  step.position.wheelset.velocity_x = 2000.0;
  step.position.wheelset.velocity_pitch = -2000.0 / 460.0;
  step.friction.coefficient = 0.3;
  step.vertical_force = 20000.0;
  PatchSettings apart;
  apart.merge_distance = 1.0;
  WheelRailSearch two(test::manchester_wheel(), test::manchester_rail(), apart);
  const SolvedWheel wheel = solve_wheel(two, test::steel_on_steel(), step, test::solver_on_cpu);
  CHECK(wheel.outcome == Outcome::converged);
  REQUIRE(wheel.patches.size() == 2);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const SolvedPatch& patch : wheel.patches) {
    const double angle = patch.patch.angle;
    const StepReport& report = patch.report;
    sum += Eigen::Vector3d(
        report.force_x, std::cos(angle) * report.force_y - std::sin(angle) * report.normal_force,
        std::sin(angle) * report.force_y + std::cos(angle) * report.normal_force);
  }
  CHECK((sum - wheel.track_force).norm() <= 1e-9 * sum.norm());
  CHECK(wheel.track_force.z() == test::near(20000.0, 1.01e-5));
  CHECK(wheel.patches[0].patch.angle < wheel.patches[1].patch.angle);  // from the field side
}

TEST_CASE("wheel solver: FASTSIM in the contacts agrees with the full theory to 5 % of mu F_n") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  for (const std::size_t number : {2, 5, 9}) {
    CAPTURE(number);
    const WheelStep step = manchester_step(test::manchester_cases()[number - 1]);
    const SolvedWheel full = solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
    for (const NormalMethod normal : {NormalMethod::bound_cg, NormalMethod::kpec}) {
      CAPTURE(normal == NormalMethod::kpec);
      ContactProblem bodies = test::steel_on_steel();
      bodies.solver.tangential = TangentialMethod::fastsim;
      bodies.solver.normal = normal;
      const SolvedWheel fast = solve_wheel(search, bodies, step, test::solver_on_cpu);
      CHECK(fast.outcome == Outcome::converged);
      REQUIRE(fast.patches.size() == full.patches.size());
      CHECK(fast.track_force.z() == test::near(10000.0, 1.01e-5));
      // KPEC's ellipses are not the contact: its approach, and with it the place, differs.
      const double part = normal == NormalMethod::kpec ? 0.1 : 0.05;
      CHECK(std::fabs(fast.track_force.x() - full.track_force.x()) <= part * 0.3 * 10000.0);
      CHECK(std::fabs(fast.track_force.y() - full.track_force.y()) <= part * 0.3 * 10000.0);
    }
  }
  ContactProblem frictionless = test::steel_on_steel();
  frictionless.solver.tangential = TangentialMethod::fastsim;
  frictionless.solver.normal = NormalMethod::kpec;
  WheelStep step = manchester_step(test::manchester_cases()[1]);
  step.friction.coefficient = 0.0;  // nothing is left of FASTSIM then
  const Eigen::Vector3d fast =
      solve_wheel(search, frictionless, step, test::solver_on_cpu).track_force;
  const Eigen::Vector3d full =
      solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu).track_force;
  CHECK((fast - full).norm() <= 2e-5 * full.norm());  // each meets the force to 1e-5
}

TEST_CASE("wheel solver: a search that begins at a solution nearby ends at that of an estimate") {
  const ContactProblem bodies = test::steel_on_steel();
  int from_nearby = 0;  // heights
  int from_estimates = 0;
  for (const std::size_t i : {0U, 4U, 8U, 20U}) {
    CAPTURE(i);
    WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
    WheelStep step = manchester_step(test::manchester_cases()[i]);
    WheelStart start;
    const SolvedWheel first = solve_wheel(search, bodies, step, test::solver_on_cpu, &start);
    REQUIRE(start.height);
    const double touch = first.nearest.gap + first.z;
    CHECK(start.height->depth == test::near(first.z - touch, 1e-9));
    step.position.wheelset.roll += 5e-5;
    const SolvedWheel near = solve_wheel(search, bodies, step, test::solver_on_cpu, &start);
    const SolvedWheel far = solve_wheel(search, bodies, step, test::solver_on_cpu);
    CHECK(near.outcome == Outcome::converged);
    from_nearby += near.positions;
    from_estimates += far.positions;
    // Each meets the force to 1e-5, and thus the height, some .1 mm deep, to 7e-7 mm.
    CHECK(near.z == test::within(far.z, 1.4e-6));
    CHECK((near.track_force - far.track_force).norm() <= 4e-5 * far.track_force.norm());
  }
  CHECK(from_nearby < from_estimates);
}

TEST_CASE("wheel solver: left and right wheels give mirrored forces") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const WheelStep left = manchester_step(test::manchester_cases()[4]);
  WheelStep right = left;
  right.position = mirrored(left.position);
  const SolvedWheel a = solve_wheel(search, test::steel_on_steel(), left, test::solver_on_cpu);
  const SolvedWheel b = solve_wheel(search, test::steel_on_steel(), right, test::solver_on_cpu);
  CHECK(a.z == test::near(b.z, 1e-9));
  // Rows are solved in the other order: as far as the solver converges.
  CHECK(a.track_force.x() == test::near(b.track_force.x(), 1e-5));
  CHECK(a.track_force.y() == test::near(-b.track_force.y(), 1e-5));
  CHECK(a.patches[0].report.moment_z == test::near(-b.patches[0].report.moment_z, 1e-4));
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("unit");

TEST_CASE("height search: finds a force on curves with kinks, and says where it jumps over one") {
  const auto wheel = test::manchester_wheel();
  WheelRailSearch search(wheel, test::manchester_rail(), {});
  const WheelRailPosition position;
  WheelRailPosition touching = position;
  const double touch = search.nearest(touching).gap;
  const CombinedMaterial steel_pair = combine({82000.0, 0.28}, {82000.0, 0.28});
  ForceCurve kinked;
  kinked.normal = [&](double z) {
    const double depth = z - touch;
    return 1e6 * std::pow(depth, 1.5) + (depth > 0.05 ? 5e6 * (depth - 0.05) : 0.0);
  };
  for (const double force : {10.0, 1000.0, 11000.0, 12000.0, 200000.0}) {
    kinked.calls = 0;
    const HeightResult found = find_height(search, position, steel_pair, force, kinked);
    CHECK(found.met);
    CHECK(found.z == kinked.z);
    CHECK(kinked.normal(found.z) == test::near(force, 1.1e-5));
    CHECK(kinked.calls <= 20);  // a kink in the middle of the bracket takes 15 or, by last bits, 16
    CHECK(kinked.completions == 1);
    kinked.completions = 0;
  }
  ForceCurve jumping;
  jumping.normal = [&](double z) {
    const double depth = z - touch;
    return (depth > 0.05 ? 2.0 : 1.0) * 1e6 * std::pow(depth, 1.5);
  };
  const HeightResult found = find_height(search, position, steel_pair, 15000.0, jumping);
  CHECK_FALSE(found.met);
  CHECK(found.jumps);
  CHECK(found.below == test::near(1e6 * std::pow(0.05, 1.5), 1e-5));
  CHECK(found.above == test::near(2e6 * std::pow(0.05, 1.5), 1e-5));
  CHECK(found.z - touch == test::near(0.05, 1e-6));
  CHECK(found.z - touch <= 0.05);   // 11180 N there, 22361 N beyond
  CHECK(jumping.completions == 1);  // so that there is a solution to report
}

TEST_CASE("height search: a jump of a small force is found as closely as one of a large force") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const WheelRailPosition position;
  const double touch = search.nearest(position).gap;
  const CombinedMaterial steel_pair = combine({82000.0, 0.28}, {82000.0, 0.28});
  for (const double depth : {1e-5, 1e-3, 0.05}) {
    CAPTURE(depth);
    const double force = 1e6 * std::pow(depth, 1.5);
    ForceCurve jumping;  // by 1e-4 of the force
    jumping.normal = [&](double z) {
      return (z - touch > depth ? 1.00005 : 0.99995) * 1e6 * std::pow(z - touch, 1.5);
    };
    const HeightResult found = find_height(search, position, steel_pair, force, jumping);
    CHECK(found.jumps);
    // The bracket leaves 3e-6 of a force.
    CHECK(found.below == test::near(0.99995 * force, 4e-6));
    CHECK(found.above == test::near(1.00005 * force, 4e-6));
  }
}

TEST_CASE("height search: a tangential force that the normal problem does not foresee is met") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const WheelRailPosition position;
  const double touch = search.nearest(position).gap;
  ForceCurve curve;
  curve.normal = [&](double z) { return 1e6 * std::pow(z - touch, 1.5); };
  curve.completed = 1.02;
  const HeightResult found =
      find_height(search, position, combine({82000.0, 0.28}, {82000.0, 0.28}), 10000.0, curve);
  CHECK(found.met);
  CHECK(1.02 * curve.normal(found.z) == test::near(10000.0, 1.1e-5));
  CHECK(curve.completions == 2);

  // The force as it is foreseen steps over the one asked for, the resulting force does not.
  const double step = touch + std::pow(10000.0 / 1e6, 1.0 / 1.5);
  ForceCurve stepping = curve;
  stepping.known = 1.0;
  stepping.completions = 0;
  stepping.normal = [&](double z) {
    return (z > step ? 1.0001 : 0.9999) * 1e6 * std::pow(z - touch, 1.5);
  };
  const HeightResult beside =
      find_height(search, position, combine({82000.0, 0.28}, {82000.0, 0.28}), 10000.0, stepping);
  CHECK(beside.met);
  CHECK_FALSE(beside.jumps);
  CHECK(1.02 * stepping.normal(beside.z) == test::near(10000.0, 1.1e-5));
  CHECK(stepping.completions == 2);
}

// The bracket shrinks little while forces close in from one side, which is no reason to halve it.
TEST_CASE("height search: forces that close in from one side need no middle of the bracket") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const WheelRailPosition position;
  const double touch = search.nearest(position).gap;
  const CombinedMaterial steel_pair = combine({82000.0, 0.28}, {82000.0, 0.28});
  for (const double completed : {1.02, 1.1, 1.3}) {
    CAPTURE(completed);
    ForceCurve curve;
    curve.completed = completed;
    double least = 1.0e300;  // after a complete solution
    curve.normal = [&](double z) {
      const double depth = z - touch;
      const double force = 5e5 * std::pow(depth, 1.5) * (1.0 + std::pow(depth / 0.046, 8.0));
      if (curve.completions > 0) least = std::min(least, curve.completed * force);
      return force;
    };
    const HeightResult found = find_height(search, position, steel_pair, 10000.0, curve);
    CHECK(found.met);
    CHECK(least > 9000.0);
  }
}

TEST_CASE("height search: a height for a force that is doubtful is not sought more exactly") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const WheelRailPosition position;
  const double touch = search.nearest(position).gap;
  const CombinedMaterial steel_pair = combine({82000.0, 0.28}, {82000.0, 0.28});
  ForceCurve certain;
  certain.normal = [&](double z) {
    const double depth = z - touch;
    return 1e6 * std::pow(depth, 1.5) * (1.0 + 2.0 * depth);
  };
  certain.completed = 1.02;
  ForceCurve doubtful = certain;
  doubtful.doubts = 0.002;  // which is less than the 2 % by which the force is off
  for (ForceCurve* curve : {&certain, &doubtful}) {
    const HeightResult found = find_height(search, position, steel_pair, 10000.0, *curve);
    CHECK(found.met);
    CHECK(1.02 * curve->normal(found.z) == test::near(10000.0, 1.1e-5));
    CHECK(curve->completions == 2);
  }
  CHECK(doubtful.calls < certain.calls);
}

// The share of a force that follows from one complete solution, taken for that of all depths, led
// to a depth further off, and so on.
TEST_CASE("height search: a tangential force that changes faster than the normal one is met") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const WheelRailPosition position;
  const double touch = search.nearest(position).gap;
  struct Climbing final : LoadedWheel {
    double touch = 0.0;
    double sign = 1.0;
    double share = 1.0;
    double z = 0.0;
    int completions = 0;

    double normal_problem(double height) override {
      z = height;
      return share * 1e6 * std::pow(z - touch, 1.5);
    }
    double complete(Exactness /*exactness*/) override {
      ++completions;
      share = std::pow((z - touch) / 0.04, 3.0) + (sign < 0.0 ? -0.3 : 0.0);
      return normal_problem(z);
    }
  };
  for (const double sign : {1.0, -1.0})  // < 0: at small depths friction pulls the rail up
    for (const double force : {1000.0, 10000.0, 100000.0}) {
      CAPTURE(sign);
      CAPTURE(force);
      Climbing wheel;
      wheel.touch = touch;
      wheel.sign = sign;
      const HeightResult found =
          find_height(search, position, combine({82000.0, 0.28}, {82000.0, 0.28}), force, wheel);
      CHECK(found.met);
      CHECK(wheel.complete(Exactness::full) == test::near(force, 1.1e-5));
      CHECK(wheel.completions <= 25);
    }
}

// Shares of another search may leave no force that points down, though the two are in contact.
TEST_CASE("height search: a wheel that friction holds up at all depths is refused for its depth") {
  struct Held final : LoadedWheel {
    double normal_problem(double /*z*/) override { return -100.0; }
    double complete(Exactness /*exactness*/) override { return -100.0; }
  } held;
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  const CombinedMaterial steel_pair = combine({82000.0, 0.28}, {82000.0, 0.28});
  for (const bool begins : {false, true}) {
    CAPTURE(begins);
    const auto start = begins ? std::optional(HeightStart{0.1}) : std::nullopt;
    std::string sentence;
    try {
      find_height(search, WheelRailPosition(), steel_pair, 1000.0, held, start);
    } catch (const InputError& error) {
      sentence = error.what();
    }
    CHECK(sentence ==
          "a vertical force of 1000 N would press the undeformed wheel more than 20 mm into the "
          "rail; accepted: less force");
  }
}

TEST_CASE("lateral share: linear theory for small creepages, friction where everything slips") {
  ContactPatch patch;
  patch.grid = {20, 20, 0.5, 0.5, -5.0, -5.0};
  std::vector<double> pressure(patch.grid.count(), 0.0);
  for (int iy = 4; iy < 16; ++iy)
    for (int ix = 4; ix < 16; ++ix) pressure[patch.grid.index(ix, iy)] = 100.0;
  const CombinedMaterial steel_pair = combine({82000.0, 0.28}, {82000.0, 0.28});
  const auto share = [&](double friction) {
    return expected_lateral_share(patch, pressure, 10000.0, steel_pair, friction);
  };
  CHECK(share(0.3) == 0.0);  // nothing rolls
  patch.creepages = {2000.0, 0.0, 0.0, 1e-6, 0.0};
  // A half-width of 3 mm: -G a b C22 eta/F_n; the cubic law begins with 1 - u/3.
  const double linear = -82000.0 * 9.0 * kalker_coefficients(1.0, 0.28).c22 * 1e-6 / 10000.0;
  CHECK(share(0.3) == test::near(linear, 1e-3));
  CHECK(share(0.0) == 0.0);
  patch.creepages = {2000.0, 0.0, 0.3, 0.4, 0.0};  // 3 : 4 : 5
  CHECK(share(0.3) == test::near(-0.3 * 0.8, 1e-12));
  patch.creepages = {2000.0, 0.0, 0.0, 0.0, 1e-5};  // spin alone pushes aside
  CHECK(share(0.3) < 0.0);
  patch.creepages.direction = std::numbers::pi;  // backwards: to the other side
  CHECK(share(0.3) > 0.0);
}

TEST_CASE("carried state: elements keep their fields where the grid moves by whole elements") {
  const Grid from{3, 2, 0.5, 1.0, -0.75, -1.5};
  const Grid to{4, 3, 0.5, 1.0, -1.26, -1.49};  // a column and no row more in front of it
  SolverState state;
  state["pressure"] = {1, 2, 3, 4, 5, 6};
  state["scalars"] = {0.1, 0, 0, 0};
  state["undeformed_distance"] = std::vector<double>(6, 0.0);
  const auto carried = carried_state(state, from, to);
  REQUIRE(carried);
  CHECK(carried->size() == 1);
  CHECK(carried->at("pressure") == std::vector<double>{0, 1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0});
  state["leading_edge"] = {1.0};
  CHECK_FALSE(carried_state(state, from, to));
}

TEST_CASE("wheel solver: rolling radii of both wheels differ by twice cone times lateral shift") {
  WheelRailSearch search = test::cone_on_round_rail();
  WheelStep step;
  step.position.track.gauge_height = 1.0;
  step.position.wheelset.z = -5.0;
  const auto difference = [&](Side side, double y) {
    step.position.side = side;
    step.position.wheelset.y = y;
    return solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu).radius_difference;
  };
  CHECK(difference(Side::right, 0.0) == 0.0);
  // The gap's samples are 0.06 mm apart: each radius is known to half of the slope times that.
  CHECK(difference(Side::right, 3.0) == test::near(2.0 * test::kConeSlope * 3.0, 0.02));
  // Right less left, whichever of them is solved.
  CHECK(difference(Side::left, 3.0) == difference(Side::right, 3.0));
  CHECK(difference(Side::right, -3.0) == -difference(Side::right, 3.0));
  step.position.track.rail_y = 2.0;  // of this rail only
  CHECK(difference(Side::right, 0.0) == test::near(-test::kConeSlope * 2.0, 0.05));
}

TEST_CASE("wheel solver: a height at which nothing touches gives neither patches nor a force") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  WheelStep step;
  step.position.wheelset.z = -1.0;
  const SolvedWheel wheel = solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
  CHECK(wheel.outcome == Outcome::converged);
  CHECK(wheel.patches.empty());
  CHECK(wheel.track_force.norm() == 0.0);
  CHECK(wheel.nearest.gap == test::near(1.182, 1e-3));  // .182 of the benchmark's
}

TEST_SUITE_END();

}  // namespace slipfield
