// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run/run_case.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/reader.h"
#include "io/result/wheel/table.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

using test::edited;
using test::TemporaryFolder;

// Coarse elements, as only the two wheels are compared with each other.
PatchSettings coarse() {
  PatchSettings settings;
  settings.spacing_x = 0.4;
  settings.spacing_y = 0.4;
  return settings;
}

WheelsetStep both_wheels(const Wheelset& set, const std::array<Track, 2>& tracks,
                         std::optional<std::array<double, 2>> forces) {
  WheelsetStep step;
  for (std::size_t i = 0; i < 2; ++i) {
    WheelStep wheel;
    wheel.position.side = i == 0 ? Side::left : Side::right;
    wheel.position.wheelset = set;
    wheel.position.track = tracks[i];
    wheel.friction.coefficient = 0.3;
    if (forces) wheel.vertical_force = (*forces)[i];
    step.wheels.push_back(wheel);
  }
  return step;
}

Wheelset rolling_at(double y, double yaw) {
  Wheelset set;
  set.y = y;
  set.yaw = yaw;
  set.velocity_x = 2000.0;
  set.velocity_pitch = -2000.0 / 460.0;
  return set;
}

SolvedWheelset solve_both(const WheelsetStep& step) {
  std::vector<WheelRailSearch> searches(
      step.wheels.size(),
      WheelRailSearch(test::manchester_wheel(), test::manchester_rail(), coarse()));
  return solve_wheelset(searches, test::steel_on_steel(), step, test::solver_on_cpu);
}

// `left` seen in a mirror along the track is `right`. Rows are solved in the other order: forces
// agree as far as the solver converges, moments, which are differences, a hundred times less.
void check_mirrored(const SolvedWheel& left, const SolvedWheel& right) {
  const double force = right.track_force.norm();
  CHECK(left.z == test::near(right.z, 1e-8));
  CHECK(std::fabs(left.track_force.x() - right.track_force.x()) <= 1e-5 * force);
  CHECK(std::fabs(left.track_force.y() + right.track_force.y()) <= 1e-5 * force);
  CHECK(std::fabs(left.track_force.z() - right.track_force.z()) <= 2e-5 * force);
  const double arm = 750.0 * force;
  CHECK(std::fabs(left.track_moment.x() + right.track_moment.x()) <= 2e-5 * arm);
  CHECK(std::fabs(left.track_moment.y() - right.track_moment.y()) <= 2e-5 * arm);
  CHECK(std::fabs(left.track_moment.z() + right.track_moment.z()) <= 2e-5 * arm);
  CHECK(left.nearest.radius == test::near(right.nearest.radius, 1e-12));
  REQUIRE(left.patches.size() == right.patches.size());
  for (std::size_t i = 0; i < left.patches.size(); ++i) {
    const ContactPatch& a = left.patches[i].patch;
    const ContactPatch& b = right.patches[i].patch;
    const auto same = [](double u, double v) {
      CHECK(std::fabs(u - v) <= 1e-9 + 1e-6 * std::fabs(v));
    };
    same(a.frame.origin.x(), b.frame.origin.x());
    same(a.frame.origin.y(), -b.frame.origin.y());
    same(a.angle, -b.angle);
    same(a.on_rail.y(), -b.on_rail.y());
    same(a.on_wheel.y(), -b.on_wheel.y());
    same(a.creepages.velocity, b.creepages.velocity);
    same(a.creepages.x, b.creepages.x);
    same(a.creepages.y, -b.creepages.y);
    same(a.creepages.spin, -b.creepages.spin);
    CHECK(left.patches[i].report.elements_contact == right.patches[i].report.elements_contact);
  }
}

std::string both_case() {
  const std::string folder = std::filesystem::absolute(test::kCases / "profiles").string();
  return "schema: 1\ntitle: both\nunits: N-mm-s\nbodies:\n"
         "  wheel: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
         "  rail: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
         "friction: {coefficient: 0.3}\n"
         "wheel_rail:\n"
         "  side: both\n"
         "  wheel: {profile: " +
         folder +
         "/MBench_S1002_v3.prw}\n"
         "  rail: {profile: " +
         folder +
         "/MBench_UIC60_v3.prr}\n"
         "  spacing: [0.4, 0.4]\n"
         "  wheelset: {y: 1.0, yaw: 0.002, velocity: {x: 2000}}\n"
         "  vertical_force: [10000, 12000]\n";
}

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("analytic");

TEST_CASE("wheelset: in the track's centre both wheels give mirrored results, and no lateral sum") {
  const SolvedWheelset solved =
      solve_both(both_wheels(rolling_at(0.0, 0.0), {}, std::array{10000.0, 10000.0}));
  CHECK(solved.outcome == Outcome::converged);
  CHECK(std::fabs(solved.pose.roll) <= 1e-9);
  check_mirrored(solved.wheels[0], solved.wheels[1]);
  const NamedNumbers numbers = wheelset_numbers(solved);
  CHECK(std::fabs(numbers.at("track_force_y")) <= 0.1);  // 1e-5 of 10 kN
  CHECK(numbers.at("track_force_z") == test::near(20000.0, 1.01e-5));
  CHECK(std::fabs(numbers.at("rolling_radius_difference")) <= 1e-9);  // of the roll found
}

TEST_CASE("wheelset: all that is turned and moved to the left gives the mirrored wheelset") {
  Wheelset set = rolling_at(2.0, 0.004);
  set.velocity_y = 3.0;
  set.velocity_z = 1.0;
  set.velocity_roll = 0.002;
  set.velocity_yaw = 0.001;
  std::array<Track, 2> tracks;
  tracks[0].rail_y = 0.6;
  tracks[0].rail_z = -0.2;
  tracks[0].rail_roll = 0.003;
  tracks[0].rail_velocity_y = 2.0;
  tracks[0].rail_velocity_z = -1.0;
  tracks[0].rail_velocity_roll = 0.001;
  tracks[0].curvature = tracks[1].curvature = 1.0 / 500000.0;
  tracks[1].rail_y = 0.3;
  const WheelsetStep step = both_wheels(set, tracks, std::array{10000.0, 12000.0});
  WheelsetStep other = step;
  for (std::size_t i = 0; i < 2; ++i) {
    other.wheels[1 - i].position = mirrored(step.wheels[i].position);
    other.wheels[1 - i].vertical_force = step.wheels[i].vertical_force;
  }
  CHECK(other.wheels[0].position.side == Side::left);
  const SolvedWheelset a = solve_both(step);
  const SolvedWheelset b = solve_both(other);
  CHECK(a.outcome == Outcome::converged);
  CHECK(std::fabs(a.pose.roll) > 1e-5);
  CHECK(std::fabs(a.pose.roll + b.pose.roll) <= 2e-9);  // 1e-6 mm over the distance of the wheels
  check_mirrored(a.wheels[0], b.wheels[1]);
  check_mirrored(b.wheels[0], a.wheels[1]);
}

TEST_CASE("wheelset: solved again at the height and roll found, each rail carries its force") {
  const std::array forces{10000.0, 14000.0};
  const SolvedWheelset found = solve_both(both_wheels(rolling_at(3.0, 0.003), {}, forces));
  CHECK(found.outcome == Outcome::converged);
  Wheelset set = rolling_at(3.0, 0.003);
  set.z = found.pose.z;
  set.roll = found.pose.roll;
  const SolvedWheelset placed = solve_both(both_wheels(set, {}, std::nullopt));
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(found.wheels[i].track_force.z() == test::near(forces[i], 1.01e-5));
    // Each wheel is within 2e-7 mm of the common height, of a penetration of .02 mm.
    CHECK(placed.wheels[i].track_force.z() == test::near(forces[i], 4e-5));
    CHECK(placed.wheels[i].track_force.x() == test::near(found.wheels[i].track_force.x(), 1e-4));
  }
}

TEST_CASE("wheelset: the moment about the axle's centre is that of the single tractions") {
  Wheelset set = rolling_at(1.0, 0.004);
  set.z = 0.3;
  const SolvedWheelset solved = solve_both(both_wheels(set, {}, std::nullopt));
  const Eigen::Vector3d axle(0.0, set.y, set.z - set.nominal_radius);
  for (const SolvedWheel& wheel : solved.wheels) {
    REQUIRE_FALSE(wheel.patches.empty());
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();
    for (const SolvedPatch& solved_patch : wheel.patches) {
      const Grid& grid = solved_patch.patch.grid;
      const ContactSolution& fields = solved_patch.solution;
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix) {
          const std::size_t i = grid.index(ix, iy);
          const Eigen::Vector3d part =
              grid.dx * grid.dy *
              (solved_patch.patch.frame.rotation *
               Eigen::Vector3d(fields.traction_x[i], fields.traction_y[i], fields.pressure[i]));
          const Eigen::Vector3d at =
              solved_patch.patch.frame.out(Eigen::Vector3d(grid.x(ix), grid.y(iy), 0.0));
          force += part;
          moment += (at - axle).cross(part);
        }
    }
    CHECK((force - wheel.track_force).norm() <= 1e-10 * force.norm());
    CHECK((moment - wheel.track_moment).norm() <= 1e-10 * moment.norm());
  }
}

TEST_CASE("wheelset: cones on round rails touch with the roll and the radii of their slope") {
  const WheelRailSearch search = test::cone_on_round_rail();
  std::vector<WheelRailSearch> searches{search, search};
  Track track;
  track.gauge_height = 1.0;
  constexpr double kShift = 4.0;
  WheelsetStep step = both_wheels(rolling_at(kShift, 0.0), {track, track}, std::nullopt);
  step.geometry_only = step.touching = true;
  const SolvedWheelset solved =
      solve_wheelset(searches, test::steel_on_steel(), step, [](const ContactProblem&) {
        FAIL("nothing is to be solved");
        return std::unique_ptr<ContactSolver>();
      });
  const NearestPoint& left = solved.wheels[0].nearest;
  const NearestPoint& right = solved.wheels[1].nearest;
  CHECK(std::fabs(left.gap) <= 2e-5);
  CHECK(std::fabs(right.gap) <= 2e-5);
  // Moved to the right, the right wheel runs on a larger radius, which lifts it: by the conicity of
  // a cone on round rails [Wickens]. To the second order of the slope; samples are .06 mm apart.
  const double half = 0.5 * (right.y - left.y);
  const double conicity = test::kConeSlope * (half + test::kHeadRadius * test::kConeSlope) /
                          (half - 0.5 * (left.radius + right.radius) * test::kConeSlope);
  CHECK(solved.wheels[1].radius_difference == test::near(2.0 * conicity * kShift, 0.003));
  CHECK(solved.pose.roll == test::near(-(right.radius - left.radius) / (right.y - left.y), 0.03));
  CHECK(solved.wheels[0].patches.empty());
  CHECK_FALSE(wheelset_numbers(solved).contains("track_force_x"));
  CHECK(wheelset_numbers(solved).contains("left_rolling_radius"));
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("unit");

TEST_CASE("wheelset case: both wheels, forces of each and irregularities of each rail") {
  const std::string text = edited(
      both_case(), "  vertical_force: [10000, 12000]\n",
      "  track: {irregularity: {left: {y: 0.5}, right: {z: 0.1, roll: 0.002}}}\n"
      "  vertical_force: [10000, 12000]\nsteps:\n  - friction: {coefficient: 0.3}\n"
      "  - wheel_rail: {wheelset: {z: 0.2, roll: 0.001}}\n"
      "  - wheel_rail: {vertical_force: 9000}\n  - wheel_rail: {side: both, wheelset: {y: 2.0}}\n");
  const CaseFile file = test::read_text(text);
  const auto& steps = file.wheel_rail->steps;
  REQUIRE(steps.size() == 4);
  for (const WheelsetStep& step : steps) REQUIRE(step.wheels.size() == 2);
  CHECK(steps[0].wheels[0].position.side == Side::left);
  CHECK(steps[0].wheels[1].position.side == Side::right);
  CHECK(steps[0].wheels[0].vertical_force == 10000.0);
  CHECK(steps[0].wheels[1].vertical_force == 12000.0);
  CHECK(steps[0].wheels[0].position.track.rail_y == 0.5);
  CHECK(steps[0].wheels[1].position.track.rail_y == 0.0);
  CHECK(steps[0].wheels[1].position.track.rail_roll == 0.002);
  CHECK_FALSE(steps[1].wheels[0].vertical_force);
  CHECK(steps[1].wheels[1].position.wheelset.roll == 0.001);
  CHECK(steps[2].wheels[1].vertical_force == 9000.0);  // which drops height and roll
  CHECK(steps[3].wheels[1].position.wheelset.y == 2.0);
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
}

// A tread after 2,800 km of `slipfield life`: a contact that appears lets the height of a wheel
// jump with the roll by .1 um, so that no roll gives both wheels one height. Such a step did not
// converge.
TEST_CASE(
    "wheelset case: where worn wheels' heights jump with the roll it is solved next to the jump") {
  const std::string cases = std::filesystem::absolute(test::kCases / "profiles").string();
  const std::string folder = test::kProfiles.string() + "/";
  const std::string as_given = "mirror_y: false, mirror_z: false";
  std::string text =
      edited(both_case(), cases + "/MBench_S1002_v3.prw}",
             folder + "worn_wheel_left.txt, " + as_given + ", right: {profile: " + folder +
                 "worn_wheel_right.txt, " + as_given + "}}");
  text = edited(text, cases + "/MBench_UIC60_v3.prr}",
                folder + "round_head.ban, mirror_y: true}\n  track: {cant: 0}");
  text = edited(text, "  spacing: [0.4, 0.4]\n", "");
  text = edited(
      text, "wheelset: {y: 1.0, yaw: 0.002, velocity: {x: 2000}}\n  vertical_force: [10000, 12000]",
      "wheelset: {y: -2.486, yaw: -0.002, velocity: {x: 20000}}\n  vertical_force: [80000, 80000]");
  text = edited(text, "wheel: {shear_modulus: 82000, ", "wheel: {young_modulus: 210000, ");
  text = edited(text, "rail: {shear_modulus: 82000, ", "rail: {young_modulus: 210000, ");
  const CaseFile file = test::read_text(text);
  SideSearches searches = file.wheel_rail->searches;
  const WheelsetStep& at = file.wheel_rail->steps[0];
  const SolvedWheelset solved =
      solve_wheelset(searches.of(at), file.problem, at, test::solver_on_cpu);
  REQUIRE_MESSAGE(solved.outcome == Outcome::converged, solved.message);
  const double difference = std::fabs(solved.wheels[1].z - solved.wheels[0].z);
  CHECK(difference < 5e-4);
  CHECK(has_text(solved.wheels[0].warning, "the wheels' heights jump at the roll") ==
        (difference > 4e-7));
  for (const SolvedWheel& wheel : solved.wheels)
    CHECK(wheel.track_force.z() == test::near(80000.0, 0.02));
}

TEST_CASE("wheelset case: sides with profiles of their own, mirrored, give mirrored results") {
  const std::string text =
      edited(both_case(), "  vertical_force: [10000, 12000]\n", "  geometry_only: true\n");
  const auto with = [&](const std::string& wheel, const std::string& rail,
                        const std::string& wheelset) {
    std::string changed = edited(text, "S1002_v3.prw}", "S1002_v3.prw, " + wheel + "}");
    changed = edited(changed, "UIC60_v3.prr}", "UIC60_v3.prr, " + rail + "}");
    return test::read_text(edited(changed, "y: 1.0, yaw: 0.002", wheelset));
  };
  const auto geometry = [](const CaseFile& file) {
    SideSearches searches = file.wheel_rail->searches;
    const WheelsetStep& at = file.wheel_rail->steps[0];
    return solve_wheelset(searches.of(at), file.problem, at, test::solver_on_cpu);
  };
  const CaseFile file = with("right: {shift: [0, -0.5]}", "left: {shift: [0, 0.2], smoothing: 4}",
                             "y: 1.0, yaw: 0.002");
  const CaseFile other = with("left: {shift: [0, -0.5]}", "right: {shift: [0, 0.2], smoothing: 4}",
                              "y: -1.0, yaw: -0.002");
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
  const SolvedWheelset one = geometry(file);
  const SolvedWheelset two = geometry(other);
  CHECK(one.pose.z == test::near(two.pose.z, 1e-9));
  CHECK(one.pose.roll == test::near(-two.pose.roll, 1e-9));
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(one.wheels[i].nearest.y == -two.wheels[1 - i].nearest.y);
    CHECK(one.wheels[i].nearest.radius == test::near(two.wheels[1 - i].nearest.radius, 1e-12));
  }
  // In the track's centre, without roll, both touch where they would at equal radii.
  const CaseFile centre =
      with("right: {shift: [0, -0.5]}", "scale: 1", "y: 0.0, z: 0.2, roll: 0.0");
  CHECK(geometry(centre).wheels[1].radius_difference == test::near(-0.5, 1e-9));
}

TEST_CASE("wheelset case: mistakes of two wheels are one sentence each") {
  const std::string text = both_case();
  const auto only = [](const std::string& changed) {
    const auto messages = test::messages_of(changed);
    REQUIRE(messages.size() == 1);
    return messages[0];
  };
  CHECK(has_text(only(edited(text, "yaw: 0.002", "roll: 0.001")),
                 "'wheelset.roll' is given, which with 'side: both' follows from"));
  CHECK(has_text(only(edited(text, "[10000, 12000]", "[10000]")), "[left, right]"));
  CHECK(has_text(only(edited(text, "side: both", "side: left")), "vertical_force"));
  CHECK(has_text(only(text + "  track: {irregularity: {y: 1.0}}\n"),
                 "y: given although side is both; accepted: no such key, or left and right"));
  CHECK(has_text(only(edited(text, "y: 1.0,", "y: 90.0,")), "the wheel is not over the rail"));
  CHECK(has_text(only(edited(text, "v3.prw}", "v3.prw, left: {profile: none.prw}}")),
                 "wheel_rail.wheel.left.profile: "));
  CHECK(has_text(only(edited(text, "v3.prw}", "v3.prw, left: {scale: 0}}")),
                 "wheel_rail.wheel.left.scale: "));
  CHECK(has_text(only(edited(text, "v3.prw}", "v3.prw, right: {left: {}}}")),
                 "left: unknown key; accepted: profile, position, mirror_y"));
}

TEST_CASE("wheelset case: a run holds the contacts of the left wheel first, and reads back") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "both.h5";
  RunOptions options;
  options.backend = BackendChoice::cpu;
  options.output = path;
  const RunRecord record =
      run_case(test::read_text(both_case()), options, {[](const auto&) {}, [](const auto&) {}});
  CHECK(record.outcome == RunOutcome::converged);
  const ResultSteps read = read_steps(path);
  REQUIRE(read.steps.size() == 1);
  const WheelRecord& step = *read.steps[0].wheel;
  CHECK(step.wheel == record.steps[0].wheel->wheel);
  REQUIRE(step.contacts.size() == 2);
  CHECK(step.get("track_y", 1) < 0.0);
  CHECK(step.get("track_y", 2) > 0.0);
  for (const char* name : {"track_force_x", "track_force_y", "track_force_z", "track_moment_x",
                           "track_moment_y", "track_moment_z", "contact_count"}) {
    CAPTURE(name);
    CHECK(step.get(name, 0) ==
          step.get(std::string("left_") + name, 0) + step.get(std::string("right_") + name, 0));
  }
  CHECK(step.get("left_track_force_z", 0) == test::near(10000.0, 1.01e-5));
  CHECK(step.get("right_track_force_z", 0) == test::near(12000.0, 1.01e-5));
  CHECK(quantity_dimension("right_track_force_z") == Dimension::force);
  const ResultFile right = read_result(path, {0, 1, {}, 2});
  double sum = 0.0;
  for (const double value : right.field(right.step(1), "pressure")) sum += 0.16 * value;
  CHECK(sum == test::near(step.get("normal_force", 2), 1e-12));
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("analytic");

TEST_CASE("wheelset: independent wheels roll freely, each at V over its own rolling radius") {
  const CaseFile file = test::read_text(
      edited(edited(both_case(), "y: 1.0, yaw: 0.002", "y: 3.0"), "vertical_force: [10000, 12000]",
             "vertical_force: 10000\n  longitudinal_force: [0, 0]"));
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
  const WheelsetStep& step = file.wheel_rail->steps.at(0);
  CHECK(step.independent_wheels);
  const SolvedWheelset solved = solve_both(step);
  REQUIRE(solved.outcome == Outcome::converged);
  const NamedNumbers numbers = wheelset_numbers(solved);
  CHECK_FALSE(numbers.contains("axle_pitch_velocity"));
  CHECK(numbers.at("rolling_radius_difference") > 0.5);
  for (const std::string side : {"left_", "right_"}) {
    CHECK(std::fabs(numbers.at(side + "wheelset_force_x")) <= 1e-5 * 0.1 * 0.3 * 10000.0);
    // To the creepage that spin leaves at the point where the radius is measured.
    CHECK(-numbers.at(side + "wheel_pitch_velocity") * numbers.at(side + "rolling_radius") ==
          test::near(2000.0, 5e-5));
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("unit");

TEST_CASE(
    "wheelset: Y is outwards on both sides, and Nadal's and Weinstock's numbers are by hand") {
  SolvedWheelset solved;
  for (const Side side : {Side::left, Side::right}) {
    SolvedWheel wheel;
    wheel.side = side;
    wheel.flange_angle = 1.2;
    SolvedPatch tread;
    tread.patch.angle = 0.05;
    tread.input.friction.coefficient = side == Side::left ? 0.4 : 0.35;
    SolvedPatch flange = tread;
    flange.patch.angle = side == Side::left ? 1.1 : -0.02;
    flange.input.friction.coefficient = side == Side::left ? 0.1 : 0.2;
    wheel.patches = {tread, flange};
    wheel.track_force = {0.0, -4000.0, side == Side::left ? 5000.0 : 8000.0};
    solved.wheels.push_back(wheel);
  }
  const NamedNumbers numbers = wheelset_numbers(solved);
  CHECK(numbers.at("left_guiding_force") == 4000.0);  // the left wheel pushes its rail outwards
  CHECK(numbers.at("right_guiding_force") == -4000.0);
  CHECK(numbers.at("left_lateral_over_vertical") == test::near(0.8));
  CHECK(numbers.at("right_lateral_over_vertical") == test::near(-0.5));
  CHECK(numbers.at("track_force_y") == -8000.0);
  CHECK(numbers.at("weinstock_sum") == test::near(1.3));
  const double steep = std::tan(1.2);
  const double nadal = (steep - 0.1) / (1.0 + 0.1 * steep);  // of the flange, not of the tread
  CHECK(numbers.at("left_nadal_limit") == test::near(nadal, 1e-12));
  CHECK(numbers.at("weinstock_limit") == test::near(nadal + 0.35, 1e-12));
  CHECK_FALSE(numbers.contains("nadal_limit"));
  CHECK_FALSE(numbers.contains("left_weinstock_sum"));
  solved.wheels.erase(solved.wheels.begin());
  CHECK_FALSE(wheelset_numbers(solved).contains("weinstock_sum"));
  solved.wheels.front().track_force.z() = 0.0;
  CHECK_FALSE(wheelset_numbers(solved).contains("lateral_over_vertical"));
}

TEST_SUITE_END();

}  // namespace slipfield
