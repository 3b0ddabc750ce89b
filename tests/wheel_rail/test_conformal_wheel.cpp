// SPDX-License-Identifier: Apache-2.0
// Conformal contact of a wheel on a rail: closed forms of a flange root that is a circle, the limit
// of flat surfaces, the balance of forces, and the mirror.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/case/wheel_rail/wheel_rail.h"
#include "solver/wheel_rail/conformal/conformal_patch.h"
#include "solver/wheel_rail/wheel_solver.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

// A rail's gauge corner in a flange root, with the radii of CONTACT's example conformal, pressed
// together by the overlap where they are inclined by 45 degrees.
constexpr double kCornerRadius = 10.0;
constexpr double kRootRadius = 10.2;
constexpr double kOverlap = 0.03;
constexpr double kSteep = 0.78539816339744831;
constexpr double kNominal = 460.0;

// From the top, `field` degrees to its field side, to 85 degrees towards the gauge side.
std::vector<ProfilePoint> arc(double radius, double field) {
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= 250; ++i) {
    const double t = (-field + (85.0 + field) / 250.0 * i) * kSteep / 45.0;
    points.push_back({-radius * std::sin(t), radius * (1.0 - std::cos(t))});
  }
  return points;
}

std::shared_ptr<const Profile> corner() {
  return std::make_shared<const Profile>(
      canonical_profile(ProfileRole::rail, arc(kCornerRadius, 40.0), {}));
}

// The root goes over into a round flange.
std::shared_ptr<const Profile> root() {
  std::vector<ProfilePoint> points = arc(kRootRadius, 5.0);
  const ProfilePoint end = points.back();
  for (int i = 1; i <= 60; ++i) {
    const double t = i * kSteep / 15.0;
    points.push_back({end.y - 3.0 * (1.0 - std::cos(t)), end.z + 3.0 * std::sin(t)});
  }
  return std::make_shared<const Profile>(canonical_profile(ProfileRole::wheel, points, {}));
}

WheelRailPosition flange_root(double overlap) {
  WheelRailPosition position;
  position.track.rail_origin = {750.0, 0.0};
  // From the centre of the corner to that of the root.
  const double apart = kRootRadius - kCornerRadius + overlap;
  Wheelset& set = position.wheelset;
  set.y = apart * std::sin(kSteep);
  set.z = apart * std::cos(kSteep) - (kRootRadius - kCornerRadius);
  set.velocity_x = 2000.0;
  set.velocity_y = 10.0;
  set.velocity_pitch = -2000.0 / kNominal;
  return position;
}

PatchSettings elements(double spacing, bool conformal) {
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = spacing;
  settings.conformal = conformal;
  return settings;
}

WheelRailSearch root_search(double spacing, bool conformal) {
  return {root(), corner(), elements(spacing, conformal)};
}

SolvedWheel solve_at(WheelRailSearch search, const WheelRailPosition& position,
                     double friction = 0.3) {
  WheelStep step;
  step.position = position;
  step.friction.coefficient = friction;
  return solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
}

}  // namespace

TEST_SUITE_BEGIN("analytic");

TEST_CASE("conformal wheel: distance, inclination and slip in a flange root that is a circle") {
  WheelRailSearch search = root_search(0.4, true);
  const WheelRailPosition position = flange_root(kOverlap);
  const auto patches = search.patches(position);
  REQUIRE(patches.size() == 1);
  const ContactPatch& patch = patches[0];
  const Grid& grid = patch.grid;
  REQUIRE(patch.rows.size() == static_cast<std::size_t>(grid.my));
  // Weighted by the vertical overlap, which grows with the inclination.
  CHECK(std::fabs(patch.angle + kSteep) <= 0.1);
  CHECK(patch.penetration == test::near(kOverlap, 1e-3));
  const double apart = kRootRadius - kCornerRadius + kOverlap;
  const double velocity = patch.creepages.velocity;
  double turned = 0.0;
  for (int iy = 1; iy + 1 < grid.my; ++iy) {
    const ReferenceRow& row = patch.rows[static_cast<std::size_t>(iy)];
    // The mean of both circles has a radius of 10.05, where they overlap, to 10.1.
    const double along = grid.y(iy) - grid.y(grid.my / 2);
    const double from = patch.rows[static_cast<std::size_t>(grid.my / 2)].angle;
    CHECK(std::fabs(row.angle - from - along / 10.07) <= 2e-3);
    turned = std::max(turned, std::fabs(row.angle - patch.angle));
    const double tau = -row.angle - kSteep;
    const double gap = std::sqrt(std::pow(kRootRadius, 2) - std::pow(apart * std::sin(tau), 2)) -
                       apart * std::cos(tau) - kCornerRadius;
    for (int ix = 0; ix < grid.mx; ++ix) {
      // The wheel's circles about the axle, seen along the normal.
      const double x = patch.frame.origin.x() + grid.x(ix);
      const double along_normal = x * x / (2.0 * kNominal) * std::cos(row.angle);
      // Bilinear between points of the wheel, and circles that are not quite parallel.
      CHECK(std::fabs(patch.distance[grid.index(ix, iy)] - patch.penetration - gap -
                      along_normal) <= 1.2e-3);
    }
    const RowCreepages& slip = patch.creepages.rows[static_cast<std::size_t>(iy)];
    const AxesFrame frame = row_frame(patch, row);
    const double radius = kNominal - position.wheelset.z + frame.origin.z() +
                          0.5 * patch.penetration * std::cos(row.angle);
    CHECK(slip.x == test::near(2000.0 * (radius / kNominal - 1.0) / velocity, 1e-9));
    CHECK(slip.y == test::near(-10.0 * std::cos(row.angle) / velocity, 1e-9));
    CHECK(slip.spin == test::near(-2000.0 / kNominal * std::sin(row.angle) / velocity, 1e-9));
  }
  CHECK(turned > 0.4);
}

TEST_CASE("conformal wheel: forces of tilted elements sum to that of the wheel") {
  const SolvedWheel wheel = solve_at(root_search(0.6, true), flange_root(kOverlap));
  CHECK(wheel.outcome == Outcome::converged);
  REQUIRE(wheel.patches.size() == 1);
  const SolvedPatch& solved = wheel.patches[0];
  const ContactPatch& patch = solved.patch;
  const Grid& grid = patch.grid;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  const Eigen::Vector3d axle = place_wheel(flange_root(kOverlap).wheelset).axle.origin;
  for (int iy = 0; iy < grid.my; ++iy) {
    const AxesFrame frame = row_frame(patch, patch.rows[static_cast<std::size_t>(iy)]);
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      const Eigen::Vector3d of_element =
          frame.rotation *
          Eigen::Vector3d(solved.solution.traction_x[i], solved.solution.traction_y[i],
                          solved.solution.pressure[i]) *
          grid.element_area();
      force += of_element;
      moment += (frame.out(Eigen::Vector3d(grid.x(ix), 0.0, 0.0)) - axle).cross(of_element);
    }
  }
  CHECK((force - wheel.track_force).norm() <= 1e-9 * force.norm());
  CHECK((moment - wheel.track_moment).norm() <= 1e-9 * moment.norm());
  // Pressures that point in several directions carry less than their sum.
  const double length = std::hypot(solved.report.normal_force, solved.report.force_y);
  CHECK(std::hypot(force.y(), force.z()) < 0.997 * length);
}

TEST_CASE("conformal wheel: a vertical force is met, in the mirror too") {
  WheelStep step;
  step.position = flange_root(0.01);
  step.position.wheelset.z = 0.0;
  step.vertical_force = 20000.0;
  step.friction.coefficient = 0.3;
  WheelRailSearch search = root_search(0.9, true);
  const SolvedWheel right = solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
  CHECK(right.outcome == Outcome::converged);
  CHECK(right.track_force.z() == test::near(20000.0, 1.01e-5));
  WheelRailSearch other = root_search(0.9, true);
  step.position = mirrored(step.position);
  const SolvedWheel left = solve_wheel(other, test::steel_on_steel(), step, test::solver_on_cpu);
  CHECK(left.z == test::near(right.z, 1e-9));
  CHECK(left.track_force.x() == test::near(right.track_force.x(), 1e-5));
  CHECK(left.track_force.y() == test::near(-right.track_force.y(), 1e-5));
  CHECK(left.track_moment.z() == test::near(-right.track_moment.z(), 1e-5));
}

TEST_CASE("conformal wheel: a shift under a force is that at the height it gives") {
  WheelStep step;
  step.position = flange_root(0.01);
  step.position.shifts = true;
  step.position.wheelset.velocity_x = 0.003;
  step.position.wheelset.velocity_y = 0.002;
  step.position.wheelset.velocity_pitch = 0.0;
  step.vertical_force = 20000.0;
  step.friction.coefficient = 0.3;
  WheelRailSearch search = root_search(0.9, true);
  const SolvedWheel loaded = solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
  REQUIRE(loaded.outcome == Outcome::converged);
  step.vertical_force.reset();
  step.position.wheelset.z = loaded.z;
  const SolvedWheel placed = solve_wheel(search, test::steel_on_steel(), step, test::solver_on_cpu);
  REQUIRE(placed.patches.size() == loaded.patches.size());
  for (std::size_t i = 0; i < placed.patches.size(); ++i) {
    const ContactSolution& one = loaded.patches[i].solution;
    const ContactSolution& other = placed.patches[i].solution;
    const double bound = 0.3 * placed.patches[i].report.max_pressure;
    // Both converge to 1e-6 of the tractions, element by element to a few times that.
    for (std::size_t k = 0; k < one.traction_x.size(); ++k)
      REQUIRE(std::hypot(one.traction_x[k] - other.traction_x[k],
                         one.traction_y[k] - other.traction_y[k]) <= 2e-5 * bound);
  }
}

TEST_CASE("conformal wheel: it carries more than half-spaces of the same distance") {
  WheelRailSearch search = root_search(0.6, true);
  const ContactPatch patch = search.patches(flange_root(kOverlap)).at(0);
  ContactProblem problem = patch_problem(test::steel_on_steel(), patch, {});
  const auto force = [&] {
    return make_cpu_solver(problem)->advance(problem.steps.front()).normal_force;
  };
  const double turned = force();
  problem.influence = {};
  const double half_spaces = force();
  // CONTACT's example, twice as wide: 91840 N with half-spaces, 99320 N with coefficients of finite
  // elements.
  CHECK(turned > 1.005 * half_spaces);
  CHECK(turned < 99320.0 / 91840.0 * half_spaces);
}

TEST_CASE("conformal wheel: slip given row by row on a plane is that of creepages and spin") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), elements(0.8, false));
  for (const double direction : {1.0, -1.0}) {
    CAPTURE(direction);
    WheelRailPosition position = test::manchester_position(test::manchester_cases()[1]);
    position.wheelset.velocity_x *= direction;
    position.wheelset.velocity_pitch *= direction;
    ContactPatch patch = search.patches(position).at(0);
    patch.creepages.spin = 3e-4;
    const auto report = [&] {
      Friction friction;
      friction.coefficient = 0.3;
      const ContactProblem problem = patch_problem(test::steel_on_steel(), patch, friction);
      return make_cpu_solver(problem)->advance(problem.steps.front());
    };
    const StepReport planar = report();
    PatchCreepages& creepages = patch.creepages;
    for (int iy = 0; iy < patch.grid.my; ++iy) {
      const double y = patch.grid.y(iy);
      patch.rows.push_back({y, 0.0, patch.angle});
      creepages.rows.push_back({creepages.x - creepages.spin * y, creepages.y, creepages.spin});
    }
    creepages.x = creepages.y = creepages.spin = 0.0;
    const StepReport by_rows = report();
    const double bound = 0.3 * planar.normal_force;
    CHECK(std::fabs(by_rows.normal_force - planar.normal_force) <= 1e-6 * planar.normal_force);
    CHECK(std::fabs(by_rows.force_x - planar.force_x) <= 1e-5 * bound);
    CHECK(std::fabs(by_rows.force_y - planar.force_y) <= 1e-5 * bound);
    CHECK(std::fabs(planar.force_y) > 0.05 * bound);
  }
}

TEST_CASE("conformal wheel: on the tread it is the planar contact") {
  const auto solved = [](bool conformal) {
    const WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(),
                                 elements(0.4, conformal));
    return solve_at(search, test::manchester_position(test::manchester_cases()[14]));
  };
  const SolvedWheel planar = solved(false);
  const SolvedWheel conformal = solved(true);
  REQUIRE(conformal.patches.size() == 1);
  CHECK(conformal.patches[0].patch.is_conformal());
  CHECK(conformal.patches[0].patch.turning < 0.05);
  CHECK(conformal.track_force.z() == test::near(planar.track_force.z(), 1e-3));
  CHECK(conformal.track_force.x() == test::near(planar.track_force.x(), 1e-3));
  CHECK(conformal.track_force.y() == test::near(planar.track_force.y(), 1e-3));
  // The pressure of a single element, whose centre is shifted by part of its size.
  CHECK(conformal.patches[0].report.max_pressure ==
        test::near(planar.patches[0].report.max_pressure, 3e-3));
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("unit");

TEST_CASE(
    "conformal wheel: a case that asks for it reads back, and refuses what is of half-spaces") {
  const std::string folder = std::filesystem::absolute(test::kCases / "profiles").string();
  const std::string text =
      "schema: 1\ntitle: root\nunits: N-mm-s\nbodies:\n"
      "  wheel: {shear_modulus: 82000, poisson_ratio: 0.28}\n"
      "  rail: {shear_modulus: 82000, poisson_ratio: 0.28}\nfriction: {coefficient: 0.3}\n"
      "wheel_rail:\n  side: left\n  contact_surface: conformal\n  spacing: [0.4, 0.4]\n"
      "  wheel: {profile: " +
      folder + "/MBench_S1002_v3.prw}\n  rail: {profile: " + folder +
      "/MBench_UIC60_v3.prr}\n  wheelset: {y: -5.4, velocity: {x: 2000}}\n"
      "  vertical_force: 10000\n";
  const CaseFile file = test::read_text(text);
  REQUIRE(file.wheel_rail);
  CHECK(file.wheel_rail->patches.conformal);
  CHECK(file.problem.influence.conformal);  // of the memory that its contacts take
  CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
  for (const std::string& warning : file.warnings)
    CHECK(warning.find("normal turns") == std::string::npos);
  for (const char* rest :
       {"solver: {tangential: fastsim, normal: kpec}\n", "solver: {rolling: second_order}\n",
        "interior: {depths: [1.0]}\n", "wear: {coefficient: 1e-4}\n"}) {
    CAPTURE(rest);
    const auto messages = test::messages_of(text + rest);
    REQUIRE_FALSE(messages.empty());
    CHECK(messages[0].find("contact_surface: conformal") != std::string::npos);
  }
}

TEST_SUITE_END();

}  // namespace slipfield
