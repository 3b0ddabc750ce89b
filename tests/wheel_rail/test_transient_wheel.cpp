// SPDX-License-Identifier: Apache-2.0
// Wheels that roll in time: contacts keep their tractions from step to step.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "solver/error.h"
#include "solver/wheel_rail/wheel_solver.h"
#include "tests/support/near.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

constexpr double kSpacing = 0.6;

std::shared_ptr<const Profile> profile_of_points(ProfileRole role,
                                                 std::vector<ProfilePoint> points) {
  ProfileChanges changes;
  changes.mirror_y = changes.mirror_z = false;
  return std::make_shared<const Profile>(canonical_profile(role, std::move(points), changes));
}

// z = depth(y) between -30 and 30, at every half millimetre.
template <class Depth>
std::vector<ProfilePoint> points_of(const Depth& depth) {
  std::vector<ProfilePoint> points;
  for (int i = -60; i <= 60; ++i) points.push_back({0.5 * i, depth(0.5 * i)});
  return points;
}
double flat(double /*y*/) { return 0.0; }
double crown(double y) { return -y * y / 300.0; }
// Two tops, 16 mm apart.
double two_tops(double y) { return std::pow(std::fabs(y) - 8.0, 2) / 600.0; }

PatchSettings on_lattice(double merge_distance = 8.0) {
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = kSpacing;
  settings.merge_distance = merge_distance;
  settings.lattice = true;
  return settings;
}

// A crowned wheel on a flat rail, which touch wherever the wheel is.
WheelStep crowned_step() {
  WheelStep step;
  step.position.side = Side::right;
  step.position.track.rail_origin = {750.0, 0.0};
  Wheelset& set = step.position.wheelset;
  set.z = 0.06;
  set.velocity_x = 1000.0;
  set.velocity_y = 1.5;
  set.velocity_pitch = -1000.0 / 460.0 * 1.002;
  step.position.rolled = kSpacing;
  step.friction.coefficient = 0.3;
  return step;
}
WheelRailSearch crowned_search() {
  return {profile_of_points(ProfileRole::wheel, points_of(crown)),
          profile_of_points(ProfileRole::rail, points_of(flat)), on_lattice()};
}
WheelStep manchester_step(Side side, double y) {
  WheelStep step;
  step.position.side = side;
  const double sign = side == Side::right ? 1.0 : -1.0;
  Wheelset& set = step.position.wheelset;
  set.y = sign * y;
  set.yaw = sign * 0.001;
  set.velocity_x = 2000.0;
  set.velocity_pitch = -2000.0 / 460.0;
  step.position.rolled = kSpacing;
  step.vertical_force = 20000.0;
  step.friction.coefficient = 0.3;
  return step;
}

ContactProblem steel(double tolerance) {
  ContactProblem bodies = test::steel_on_steel();
  bodies.solver.tolerance = tolerance;
  return bodies;
}

// A wheel whose steps continue each other.
class Rolling {
 public:
  Rolling(WheelRailSearch search, double tolerance)
      : search_(std::move(search)), bodies_(steel(tolerance)) {}

  SolvedWheel advance(WheelStep step) {
    step.before = before_;
    SolvedWheel wheel = solve_wheel(search_, bodies_, step, test::solver_on_cpu);
    REQUIRE(wheel.outcome == Outcome::converged);
    before_ = std::make_shared<const CarriedContacts>(wheel.left);
    return wheel;
  }
  [[nodiscard]] WheelRailSearch& search() { return search_; }
  [[nodiscard]] const ContactProblem& bodies() const { return bodies_; }

 private:
  WheelRailSearch search_;
  ContactProblem bodies_;
  std::shared_ptr<const CarriedContacts> before_;
};

double greatest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double greatest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) greatest = std::max(greatest, std::fabs(a[i] - b[i]));
  return greatest;
}
double greatest(const std::vector<double>& values) {
  return greatest_difference(values, std::vector<double>(values.size(), 0.0));
}
double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

TEST_SUITE_BEGIN("analytic");

TEST_CASE("transient wheel: a constant motion ends in steady rolling on the same grid") {
  for (const bool conformal : {false, true}) {
    CAPTURE(conformal);
    PatchSettings settings = on_lattice();
    settings.conformal = conformal;
    settings.spacing_x = settings.spacing_y = 0.9;
    WheelStep step = manchester_step(Side::right, 1.0);
    step.position.rolled = settings.spacing_x;
    Rolling rolling({test::manchester_wheel(), test::manchester_rail(), settings}, 1e-6);
    SolvedWheel wheel = rolling.advance(step);
    const Eigen::Vector3d first = wheel.track_force;
    for (int i = 0; i < 60; ++i) wheel = rolling.advance(step);
    step.position.rolled = 0.0;
    const SolvedWheel steady =
        solve_wheel(rolling.search(), rolling.bodies(), step, test::solver_on_cpu);
    REQUIRE(steady.outcome == Outcome::converged);
    REQUIRE(steady.patches.front().patch.grid.count() == wheel.patches.front().patch.grid.count());
    const double most = 0.3 * 20000.0;
    CHECK((first - steady.track_force).norm() > 0.05 * most);  // it begins far from it
    CHECK((wheel.track_force - steady.track_force).norm() < 1e-4 * most);
    const ContactSolution& now = wheel.patches.front().solution;
    const ContactSolution& then = steady.patches.front().solution;
    // Single elements at the edge of the slip zone are later than the sum.
    CHECK(greatest_difference(now.traction_x, then.traction_x) < 2e-3 * greatest(then.traction_x));
  }
}

TEST_CASE(
    "transient wheel: contact that moves across by elements rolls obliquely, there and back") {
  Rolling rolling(crowned_search(), 1e-9);
  WheelStep step = crowned_step();
  // The contact in the middle between two places that the lattice would round to.
  const ContactRegion region = rolling.search().regions(step.position).front();
  step.position.wheelset.y +=
      rolling.search().patches(step.position).front().frame.origin.y() - region.y;
  std::vector<SolvedWheel> wheels;
  const std::vector<int> moves{0, 0, 1, -1, -1, 1};
  for (const int move : moves) {
    step.position.wheelset.y += move * kSpacing;
    wheels.push_back(rolling.advance(step));
  }
  // The same on one grid that moves with the contact: particles come from ahead and from the side.
  const SolvedPatch& last = wheels.back().patches.front();
  const ContactProblem problem = patch_problem(rolling.bodies(), last.patch, step.friction);
  const auto plain = test::solver_on_cpu(problem);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    CAPTURE(i);
    StepInput oblique = problem.steps.front();
    oblique.tangential.step = std::hypot(kSpacing, moves[i] * kSpacing);
    oblique.tangential.direction = std::atan2(moves[i], 1.0);
    for (TangentialLoad* load : {&oblique.tangential.x, &oblique.tangential.y})
      load->value *= kSpacing / oblique.tangential.step;
    const StepReport report = plain->advance(oblique);
    REQUIRE(report.outcome == Outcome::converged);
    const SolvedPatch& patch = wheels[i].patches.front();
    REQUIRE(std::fabs(report.force_x) > 0.05 * 0.3 * report.normal_force);
    // Heights of the wheel are the same to rounding, tractions to the tolerance.
    CHECK(patch.report.normal_force == test::near(report.normal_force, 1e-8));
    CHECK(patch.report.force_x == test::near(report.force_x, 1e-7));
    CHECK(patch.report.force_y == test::near(report.force_y, 1e-7));
  }
}

TEST_CASE(
    "transient wheel: contact that grows and shrinks is that of a grid which always holds it") {
  for (const int parts : {1, 2}) {
    CAPTURE(parts);
    Rolling rolling(crowned_search(), 1e-9);
    WheelStep step = crowned_step();
    step.position.rolled = kSpacing / parts;
    std::vector<SolvedWheel> wheels;
    std::size_t largest = 0;
    for (int i = 0; i < 12; ++i) {
      step.position.wheelset.z = 0.05 + 0.03 * std::sin(0.9 * i);
      wheels.push_back(rolling.advance(step));
      if (wheels[i].patches.front().patch.grid.count() >
          wheels[largest].patches.front().patch.grid.count())
        largest = static_cast<std::size_t>(i);
    }
    const ContactPatch& patch = wheels[largest].patches.front().patch;
    const auto plain = test::solver_on_cpu(patch_problem(rolling.bodies(), patch, step.friction));
    for (const SolvedWheel& wheel : wheels) {
      const SolvedPatch& solved = wheel.patches.front();
      const StepReport report = plain->advance(solved.input);
      REQUIRE(report.outcome == Outcome::converged);
      // The wheel's surface is bilinear from the same points, to rounding.
      CHECK(solved.report.normal_force == test::near(report.normal_force, 1e-8));
      CHECK(solved.report.force_x == test::near(report.force_x, 1e-7));
      CHECK(solved.report.force_y == test::near(report.force_y, 1e-7));
    }
  }
}

TEST_CASE(
    "transient wheel: half the step, or half of it and of the elements, has nearly the forces") {
  const auto force = [](double spacing, double rolled) {
    PatchSettings settings = on_lattice();
    settings.spacing_x = settings.spacing_y = spacing;
    Rolling rolling({test::manchester_wheel(), test::manchester_rail(), settings}, 1e-6);
    WheelStep step = manchester_step(Side::right, 1.0);
    step.position.rolled = 0.0;
    rolling.advance(step);
    step.position.rolled = rolled;
    SolvedWheel wheel;
    for (int i = 1; i <= std::lround(7.2 / rolled); ++i) {
      step.vertical_force =
          20000.0 * (1.0 + 0.4 * std::sin(2.0 * std::numbers::pi * i * rolled / 20.0));
      wheel = rolling.advance(step);
    }
    return wheel.track_force.x();
  };
  const double coarse = force(0.8, 0.8);
  // Discretisation: an element is a seventh of half the contact's length.
  CHECK(force(0.8, 0.4) == test::near(coarse, 0.02));
  CHECK(force(0.4, 0.4) == test::near(coarse, 0.02));
}

TEST_CASE("transient wheel: left and right wheels are mirror images, step by step") {
  Rolling right({test::manchester_wheel(), test::manchester_rail(), on_lattice()}, 1e-8);
  Rolling left({test::manchester_wheel(), test::manchester_rail(), on_lattice()}, 1e-8);
  for (const double y : {0.5, 0.9, 1.6, 1.2, 0.3}) {
    CAPTURE(y);
    const SolvedWheel a = right.advance(manchester_step(Side::right, y));
    const SolvedWheel b = left.advance(manchester_step(Side::left, y));
    // 2e-5: heights agree to 1e-5 of the force
    CHECK(a.track_force.x() == test::near(b.track_force.x(), 2e-5));
    CHECK(a.track_force.y() == test::near(-b.track_force.y(), 2e-5));
    REQUIRE(a.left.size() == b.left.size());
    CHECK(a.left.front().touching.s_first == -b.left.front().touching.s_last);
  }
}

TEST_CASE("transient wheel: one that rolls backwards is the mirror image of one that rolls on") {
  Rolling on({test::manchester_wheel(), test::manchester_rail(), on_lattice()}, 1e-8);
  Rolling back({test::manchester_wheel(), test::manchester_rail(), on_lattice()}, 1e-8);
  for (const double y : {0.5, 0.9, 1.6, 1.2, 0.3}) {
    CAPTURE(y);
    WheelStep step = manchester_step(Side::right, y);
    step.position.wheelset.velocity_pitch *= 1.001;
    const SolvedWheel a = on.advance(step);
    Wheelset& set = step.position.wheelset;
    for (double* value : {&set.velocity_x, &set.velocity_pitch, &set.yaw}) *value *= -1.0;
    const SolvedWheel b = back.advance(step);
    REQUIRE(std::fabs(a.track_force.x()) > 0.02 * 0.3 * 20000.0);
    // 2e-5: heights agree to 1e-5 of the force
    CHECK(a.track_force.x() == test::near(-b.track_force.x(), 2e-5));
    CHECK(a.track_force.y() == test::near(b.track_force.y(), 2e-5));
  }
}

TEST_CASE("transient wheel: the pitch velocity found for a force is the one that has made it") {
  Rolling given({test::manchester_wheel(), test::manchester_rail(), on_lattice()}, 1e-8);
  Rolling found({test::manchester_wheel(), test::manchester_rail(), on_lattice()}, 1e-8);
  for (const double slip : {1e-3, -5e-4, 2e-3}) {
    CAPTURE(slip);
    WheelStep step = manchester_step(Side::right, 1.0);
    step.position.wheelset.velocity_pitch *= 1.0 + slip;
    const SolvedWheel a = given.advance(step);
    step.longitudinal_force = a.wheelset_force.x();
    const double pitch = std::exchange(step.position.wheelset.velocity_pitch, -2000.0 / 460.0);
    const SolvedWheel b = found.advance(step);
    // 1e-5 of a tenth of mu F_n, over what a creepage gives in one step
    CHECK(b.pitch_velocity == test::near(pitch, 1e-5));
    CHECK(b.track_force.y() == test::near(a.track_force.y(), 1e-3));
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("unit");

TEST_CASE("transient wheel: a contact that ended begins again without tractions") {
  Rolling rolling(crowned_search(), 1e-6);
  const WheelStep down = crowned_step();
  WheelStep up = down;
  up.position.wheelset.z = -0.5;
  WheelStep hardly = down;
  hardly.position.wheelset.z = 0.01;
  const SolvedWheel first = rolling.advance(down);
  rolling.advance(down);
  CHECK(rolling.advance(up).left.empty());
  const SolvedWheel again = rolling.advance(down);
  CHECK(again.patches.front().solution.traction_x == first.patches.front().solution.traction_x);
  rolling.advance(down);
  rolling.advance(hardly);  // which keeps a part of the tractions
  const double after = std::fabs(rolling.advance(down).track_force.x());
  Rolling held(crowned_search(), 1e-6);
  SolvedWheel fourth;
  for (int i = 0; i < 4; ++i) fourth = held.advance(down);
  // The force of a first step is 0.6 of it, that of a fourth 2.2 times as much.
  CHECK(after > 1.5 * std::fabs(first.track_force.x()));
  CHECK(after < 0.5 * std::fabs(fourth.track_force.x()));
}

TEST_CASE(
    "transient wheel: contacts that merge keep both states, one that splits gives each its own") {
  const auto wheel = profile_of_points(ProfileRole::wheel, points_of(flat));
  const auto rail = profile_of_points(ProfileRole::rail, points_of(two_tops));
  WheelRailSearch apart(wheel, rail, on_lattice(0.0));
  WheelRailSearch together(wheel, rail, on_lattice(30.0));
  const ContactProblem bodies = steel(1e-6);
  WheelStep step = crowned_step();
  const SolvedWheel two = solve_wheel(apart, bodies, step, test::solver_on_cpu);
  const SolvedWheel one = solve_wheel(together, bodies, step, test::solver_on_cpu);
  REQUIRE(two.left.size() == 2);
  REQUIRE(one.left.size() == 1);
  const auto continued = [&](const SolvedWheel& from, WheelRailSearch& search) {
    std::vector<double> sums;
    for (const ContactPatch& patch : search.patches(step.position, touching_elements(from.left))) {
      const ContactProblem problem = patch_problem(bodies, patch, step.friction);
      const SolverState state =
          state_to_continue(from.left, patch, 0.3, test::solver_on_cpu(problem)->state());
      REQUIRE(state.at("traction_x").size() == patch.grid.count());
      sums.push_back(sum_of(state.at("traction_x")));
    }
    return sums;
  };
  const double first = sum_of(two.patches[0].solution.traction_x);
  const double second = sum_of(two.patches[1].solution.traction_x);
  REQUIRE(std::fabs(first) > 1.0);
  const std::vector<double> merged = continued(two, together);
  REQUIRE(merged.size() == 1);
  CHECK(merged[0] == test::near(first + second, 1e-12));
  const std::vector<double> split = continued(one, apart);
  REQUIRE(split.size() == 2);
  CHECK(split[0] + split[1] == test::near(sum_of(one.patches[0].solution.traction_x), 1e-12));
  CHECK(split[0] == test::near(split[1], 1e-3));  // equal tops
  const std::vector<double> same = continued(two, apart);
  CHECK(same[0] == test::near(first, 1e-12));
  CHECK(same[1] == test::near(second, 1e-12));
}

TEST_CASE("transient wheel: what contacts leave is saved and read back") {
  Rolling rolling(crowned_search(), 1e-6);
  const SolvedWheel wheel = rolling.advance(crowned_step());
  SolverState state;
  save(wheel.left, "left.", state);
  CHECK(saved_contacts("right.", state).empty());
  const CarriedContacts again = saved_contacts("left.", state);
  REQUIRE(again.size() == wheel.left.size());
  CHECK(again[0].fields == wheel.left[0].fields);
  CHECK(again[0].fields.count("traction_y") == 1);
  CHECK(again[0].elements.s_first == wheel.left[0].elements.s_first);
  CHECK(again[0].touching.x_last == wheel.left[0].touching.x_last);
  const std::vector<double> boxes = state.at("left.1.elements");
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  // Not a number, no whole one, no elements, and contact beyond them.
  for (const auto& [i, number] : std::vector<std::pair<std::size_t, double>>{{0, nothing},
                                                                             {5, nothing},
                                                                             {2, boxes[2] + 0.5},
                                                                             {1, boxes[0] - 1.0},
                                                                             {5, boxes[1] + 1.0}}) {
    CAPTURE(i);
    CAPTURE(number);
    state["left.1.elements"][i] = number;
    CHECK_THROWS_WITH_AS(saved_contacts("left.", state),
                         "the saved state does not fit the case: left.1.elements", InputError);
    state["left.1.elements"] = boxes;
  }
  state["left.1.pressure"].pop_back();
  CHECK_THROWS_WITH_AS(saved_contacts("left.", state),
                       "the saved state does not fit the case: left.1.pressure", InputError);
}

TEST_CASE("transient wheel: contacts that are not on a lattice are refused") {
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), {});
  CHECK_THROWS_WITH_AS(
      solve_wheel(search, steel(1e-6), manchester_step(Side::right, 0.0), test::solver_on_cpu),
      "a step of transient rolling needs contacts on a lattice, which those of this case are not; "
      "accepted: a case that has wheel_rail.problem: transient_rolling in one of its steps from "
      "the start",
      InputError);
}

TEST_SUITE_END();

}  // namespace slipfield
