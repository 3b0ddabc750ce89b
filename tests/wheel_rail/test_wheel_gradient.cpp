// SPDX-License-Identifier: Apache-2.0
// Derivatives of a wheel's totals against central differences of whole solutions.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "solver/error.h"
#include "solver/wheel_rail/gradient/wheel_gradient.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

ContactProblem exact_steel() {
  ContactProblem bodies = test::steel_on_steel();
  bodies.solver.tolerance = 1e-12;
  bodies.solver.influence = InfluenceMethod::fft;
  return bodies;
}

// A scalar of all that has derivatives, its weights such that each part of it counts.
struct RandomSeed {
  explicit RandomSeed(const SolvedWheel& wheel, std::uint64_t number) : bits(number) {
    for (Eigen::Vector3d* vector : {&seed.track_force, &seed.wheelset_force})
      for (double& weight : *vector) weight = next();
    for (double& weight : seed.track_moment) weight = 1e-3 * next();
    for (std::size_t i = 0; i < wheel.patches.size(); ++i) {
      ContactSeed one;
      one.outputs.normal_force = next();
      one.outputs.force_x = next();
      one.outputs.moment_z = next();
      one.outputs.friction_work = next();
      one.outputs.approach = 1e5 * next();
      one.outputs.rigid_x = 1e6 * next();
      one.outputs.rigid_y = 1e6 * next();
      one.outputs.rotation = 1e6 * next();
      one.angle = 1e4 * next();
      seed.contacts.push_back(one);
    }
  }
  double next() { return std::uniform_real_distribution<double>(-1.0, 1.0)(bits); }
  [[nodiscard]] double of(const SolvedWheel& wheel) const {
    double sum = seed.track_force.dot(wheel.track_force) +
                 seed.wheelset_force.dot(wheel.wheelset_force) +
                 seed.track_moment.dot(wheel.track_moment);
    for (std::size_t i = 0; i < wheel.patches.size(); ++i) {
      const StepReport& report = wheel.patches[i].report;
      const ContactPatch& patch = wheel.patches[i].patch;
      const StepOutputs& by = seed.contacts[i].outputs;
      sum += by.normal_force * report.normal_force + by.force_x * report.force_x +
             by.moment_z * report.moment_z + by.friction_work * report.friction_work +
             by.approach * report.approach + by.rigid_x * patch.creepages.x +
             by.rigid_y * patch.creepages.y + by.rotation * patch.creepages.spin +
             seed.contacts[i].angle * patch.angle;
    }
    return sum;
  }

  std::mt19937_64 bits;
  WheelSeed seed;
};

// The penetration is that of this element.
std::ptrdiff_t deepest(const ContactPatch& patch) {
  return std::ranges::min_element(patch.distance) - patch.distance.begin();
}

// The same elements in the same states, on the same grids.
bool same_states(const SolvedWheel& a, const SolvedWheel& b) {
  if (a.patches.size() != b.patches.size()) return false;
  for (std::size_t i = 0; i < a.patches.size(); ++i) {
    const Grid& one = a.patches[i].patch.grid;
    const Grid& other = b.patches[i].patch.grid;
    if (deepest(a.patches[i].patch) != deepest(b.patches[i].patch) || one.mx != other.mx ||
        one.my != other.my || one.x0 != other.x0 || one.y0 != other.y0 ||
        a.patches[i].solution.element_division != b.patches[i].solution.element_division)
      return false;
  }
  return true;
}

// Differences of whole solutions, over less and less until no element changes its state: of two
// distances, so that the third derivative falls out (the top of a rail, which places it, moves far
// with one of its points).
class Differences {
 public:
  using Solve = std::function<SolvedWheel(double change)>;

  Differences(const SolvedWheel& wheel, const RandomSeed& scalar)
      : wheel_(wheel), scalar_(scalar) {}
  void compare(const std::string& name, double half, double found, const Solve& solve) {
    for (int attempt = 0; attempt < 3; ++attempt, half *= 0.3) {
      const auto wide = slope_over(half, solve);
      const auto narrow = slope_over(0.5 * half, solve);
      if (!wide || !narrow) continue;
      const double slope = (4.0 * *narrow - *wide) / 3.0;
      CAPTURE(name);
      CAPTURE(half);
      CAPTURE(slope);
      // 1e-6, and what rounding leaves of the difference of two scalars
      CHECK(std::fabs(found - slope) <=
            1e-6 * std::fabs(slope) + 3e-11 * std::fabs(scalar_.of(wheel_)) / half);
      ++compared;
      return;
    }
    ++left_out;
  }
  int compared = 0;
  int left_out = 0;

 private:
  [[nodiscard]] std::optional<double> slope_over(double half, const Solve& solve) const {
    const SolvedWheel forth = solve(half);
    const SolvedWheel back = solve(-half);
    if (!same_states(forth, wheel_) || !same_states(back, wheel_)) return std::nullopt;
    return (scalar_.of(forth) - scalar_.of(back)) / (2.0 * half);
  }

  const SolvedWheel& wheel_;
  const RandomSeed& scalar_;
};

constexpr std::array kNumberNames{"y",
                                  "z",
                                  "roll",
                                  "yaw",
                                  "velocity.x",
                                  "velocity.y",
                                  "velocity.z",
                                  "velocity.roll",
                                  "velocity.pitch",
                                  "velocity.yaw"};
// Over which the contacts change little: a thousandth of what changes them as a whole.
constexpr std::array kNumberHalf{2e-5, 1e-5, 5e-8, 1e-6, 4e-3, 4e-3, 4e-3, 4e-6, 4e-6, 4e-6};

// On either side, on a roller, with friction that falls with the slip velocity.
WheelStep random_step(int round, std::mt19937_64& bits) {
  const auto between = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(bits);
  };
  WheelStep step;
  step.position.side = round % 2 == 0 ? Side::right : Side::left;
  Wheelset& set = step.position.wheelset;
  set.y = between(-3.0, 4.0);
  set.yaw = between(-0.01, 0.01);
  set.roll = between(-1e-3, 1e-3);
  set.velocity_x = 2000.0;
  set.velocity_y = between(-5.0, 5.0);
  set.velocity_pitch = -2000.0 / 460.0 * between(0.998, 1.002);
  set.velocity_yaw = between(-0.05, 0.05);
  if (round == 4) {
    step.position.track.roller_radius = 500.0;
    step.position.track.roller_pitch = 4.0;
    set.velocity_x = 0.0;
    set.velocity_pitch = -2000.0 / 460.0;
  }
  step.friction.coefficient = 0.3;
  if (round < 2) {  // by the contact's inclination to the axle, which rolls
    step.friction_by_inclination = true;
    step.friction.place = FrictionAlongY{{-0.6, 0.4}, {0.15, 0.4}};
  }
  if (round >= 3) {  // falls with the slip velocity
    step.friction.kinetic = 0.2;
    step.friction.law = FrictionLaw::rational;
    step.friction.half_velocity = 50.0;
  }
  return step;
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("wheel gradient: differences of whole solutions by positions, velocities and points") {
  const ContactProblem bodies = exact_steel();
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = 0.8;
  std::mt19937_64 bits(5);
  int compared = 0;
  int left_out = 0;
  for (int round = 0; round < 6; ++round) {
    CAPTURE(round);
    const auto wheel_profile = test::manchester_wheel();
    const auto rail_profile = test::manchester_rail();
    const WheelRailSearch search(wheel_profile, rail_profile, settings);
    WheelStep step = random_step(round, bits);
    WheelRailSearch own = search;
    step.position.wheelset.z = own.nearest(step.position).gap + 0.05;
    const SolvedWheel wheel = solve_wheel(own, bodies, step, test::solver_on_cpu);
    REQUIRE(wheel.outcome == Outcome::converged);
    REQUIRE(!wheel.patches.empty());
    const RandomSeed scalar(wheel, static_cast<std::uint64_t>(round));
    WheelGradient gradient(search, bodies, step, wheel);
    const WheelInputs found = gradient.gradients({scalar.seed}).front();
    Differences differences(wheel, scalar);
    for (std::size_t n = 0; n < kNumberNames.size(); ++n)
      differences.compare(kNumberNames[n], kNumberHalf[n], found.wheelset[n], [&](double change) {
        WheelStep there = step;
        there.position.wheelset.*kWheelsetNumbers[n] += change;
        return solve_wheel(own, bodies, there, test::solver_on_cpu);
      });
    const double sign = step.position.side == Side::right ? 1.0 : -1.0;
    const ContactPatch& patch = wheel.patches.front().patch;
    for (const bool is_wheel : {true, false}) {
      const Profile& profile = is_wheel ? *wheel_profile : *rail_profile;
      const auto& by_points = is_wheel ? found.wheel_points : found.rail_points;
      REQUIRE(by_points.size() == profile.points.size());
      const double y = sign * (is_wheel ? patch.on_wheel : patch.on_rail).y();
      std::size_t nearest = 0;
      for (std::size_t i = 0; i < profile.points.size(); ++i)
        if (std::fabs(profile.points[i].y - y) < std::fabs(profile.points[nearest].y - y))
          nearest = i;
      for (const std::size_t i : {nearest, nearest + 2, nearest - 3})
        for (double ProfilePoint::*coordinate : {&ProfilePoint::y, &ProfilePoint::z})
          differences.compare(std::string(is_wheel ? "wheel" : "rail") + " point", 1e-5,
                              by_points[i].*coordinate, [&](double change) {
                                std::vector<ProfilePoint> points = profile.points;
                                points[i].*coordinate += change;
                                Profile moved = with_points(profile, std::move(points));
                                WheelRailSearch there = is_wheel
                                                            ? search.with_wheel(std::move(moved))
                                                            : search.with_rail(std::move(moved));
                                return solve_wheel(there, bodies, step, test::solver_on_cpu);
                              });
    }
    compared += differences.compared;
    left_out += differences.left_out;
  }
  MESSAGE(compared << " compared, " << left_out << " left out");
  CHECK(compared > 3 * left_out);
}

TEST_CASE("wheel gradient: what is called in between ends it wherever it throws") {
  struct Ended {};
  const ContactProblem bodies = exact_steel();
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = 0.8;
  std::mt19937_64 bits(5);
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), settings);
  WheelStep step = random_step(0, bits);
  step.position.wheelset.z = search.nearest(step.position).gap + 0.05;
  const SolvedWheel wheel = solve_wheel(search, bodies, step, test::solver_on_cpu);
  REQUIRE(wheel.outcome == Outcome::converged);
  WheelSeed seed;
  seed.track_force.x() = 1.0;
  const auto calls = [&](ProfilePoints points, int last) {
    int count = 0;
    WheelGradient gradient(search, bodies, step, wheel, [&] {
      if (++count == last) throw Ended();
    });
    if (last > 0)
      CHECK_THROWS_AS((void)gradient.gradients({seed}, points), Ended);
    else
      (void)gradient.gradients({seed}, points);
    return count;
  };
  const int of_numbers = calls(ProfilePoints::none, 0);  // products and placements
  const int of_all = calls(ProfilePoints::all, 0);
  CHECK(of_numbers > 2 * static_cast<int>(kWheelsetNumbers.size()));
  CHECK(of_all - of_numbers > 100);  // points of the profiles
  for (const int last : {1, of_numbers / 2, of_numbers + 50})
    CHECK(calls(ProfilePoints::all, last) == last);
}

TEST_CASE("wheel gradient: another scalar redoes no geometry, also after an end in between") {
  struct Ended {};
  const ContactProblem bodies = exact_steel();
  PatchSettings settings;
  settings.spacing_x = settings.spacing_y = 0.8;
  std::mt19937_64 bits(5);
  WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), settings);
  WheelStep step = random_step(0, bits);
  step.position.wheelset.z = search.nearest(step.position).gap + 0.05;
  const SolvedWheel wheel = solve_wheel(search, bodies, step, test::solver_on_cpu);
  REQUIRE(wheel.outcome == Outcome::converged);
  const WheelSeed first = RandomSeed(wheel, 1).seed;
  const WheelSeed second = RandomSeed(wheel, 2).seed;
  int count = 0;
  int last = 0;
  WheelGradient kept(search, bodies, step, wheel, [&] {
    if (++count == last) throw Ended();
  });
  const auto calls = [&](const WheelSeed& seed, ProfilePoints points) {
    count = 0;
    (void)kept.gradients({seed}, points);
    return count;
  };
  const int with_positions = calls(first, ProfilePoints::none);
  const int products = calls(first, ProfilePoints::none);
  CHECK(with_positions - products == 2 * static_cast<int>(kWheelsetNumbers.size()));
  last = products + 100;
  CHECK_THROWS_AS((void)calls(first, ProfilePoints::all), Ended);
  last = 0;
  const int with_wheel = calls(first, ProfilePoints::wheel) - products;
  const int with_rail = calls(first, ProfilePoints::all) - products;
  const auto two_each = [](const Profile& profile) {
    return 2 * static_cast<int>(profile.points.size());
  };
  CHECK(with_wheel > two_each(search.wheel()));  // once each, and twice more where it matters
  CHECK(with_rail > two_each(search.rail()));
  CHECK(calls(first, ProfilePoints::all) == products);

  const WheelInputs found = kept.gradients({second}, ProfilePoints::all).front();
  WheelGradient alone(search, bodies, step, wheel);
  const WheelInputs expected = alone.gradients({second}, ProfilePoints::all).front();
  CHECK(found.wheelset == expected.wheelset);
  for (const auto points : {&WheelInputs::wheel_points, &WheelInputs::rail_points})
    CHECK(std::ranges::equal(found.*points, expected.*points, [](const auto& a, const auto& b) {
      return a.y == b.y && a.z == b.z;
    }));
}

TEST_SUITE_END();

}  // namespace slipfield
