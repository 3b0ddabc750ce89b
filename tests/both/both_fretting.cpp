// SPDX-License-Identifier: Apache-2.0
// Energy dissipated and depth worn off by shifts to and fro, on either backend.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "solver/surface/surface_fields.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

constexpr double kFrettingFriction = 0.4;
constexpr double kWear = 2e-4;
constexpr double kHardness = 0.05;

// A ball on a plane, a = 1 under the force P, that a force goes to and fro on by `part` of mu P, or
// by a shift. Without Poisson's ratio Cattaneo's and Mindlin's solution is exact.
ContactProblem to_and_fro(int n, TangentialControl control, const std::vector<double>& values) {
  const double force = 4.0 / 3.0 / 100.0;
  ContactProblem problem = normal_problem(centred_grid(n, n, 1.1, 1.1), {1.0, 0.0},
                                          SphereShape{100.0}, NormalControl::force, force, 1e-8);
  problem.steps[0].friction.coefficient = kFrettingFriction;
  problem.surface.wear.emplace();
  problem.surface.wear->coefficient.value = {kWear};
  problem.surface.wear->hardness = kHardness;
  for (const double value : values) {
    StepInput step = problem.steps[0];
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x = {control, value};
    problem.steps.push_back(step);
  }
  return problem;  // the first step only presses
}

struct Worn {
  StepReport report;
  ContactSolution fields;
};

std::vector<Worn> solve_steps(const ContactProblem& problem) {
  const auto solver = make_solver_under_test(problem);
  std::vector<Worn> steps;
  for (const StepInput& step : problem.steps) {
    Worn worn{solver->advance(step), {}};
    REQUIRE(worn.report.outcome == Outcome::converged);
    worn.fields = solver->download();
    add_surface(problem, step, worn.fields, worn.report);
    steps.push_back(std::move(worn));
  }
  return steps;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE(
      "fretting: a cycle in partial slip dissipates the area of the loop of Mindlin's curves") {
    for (const double part : {0.5, 0.9}) {
      CAPTURE(part);
      const auto steps =
          solve_steps(to_and_fro(96, TangentialControl::force_ratio, {part, -part, part}));
      const double bound = kFrettingFriction * steps[1].report.normal_force;
      // The area between q -> d - 2 f((part - q)/2) and its mirror image, f(q) = 3 mu P/16 (2/G +
      // 2/G) (1 - (1 - q)^(2/3)) the first curve, a = 1 and force over mu P from -part to part.
      const double rest = std::pow(1.0 - part, 2.0 / 3.0);
      const double energy =
          0.9 * bound * bound * 4.0 * (1.0 - (1.0 - part) * rest - 5.0 * part / 6.0 * (1.0 + rest));
      const double found =
          steps[1].report.friction_work_total - steps[3].report.friction_work_total;
      CHECK(found == near(energy, 0.02));  // elements of a/44
      CHECK(steps[3].report.force_x == near(steps[1].report.force_x, 1e-6));
      CHECK(steps[3].report.shift_total_x ==
            near(steps[1].report.shift_total_x, 1e-3));  // the loop is closed
    }
  }

  TEST_CASE("fretting: with Archard's law the volume is k/(mu H) times the energy dissipated") {
    for (const bool gross : {false, true}) {
      CAPTURE(gross);
      ContactProblem problem =
          gross ? to_and_fro(40, TangentialControl::rigid, {0.05, -0.1, 0.1})
                : to_and_fro(40, TangentialControl::force_ratio, {0.6, -0.6, 0.6});
      problem.surface.wear->passes = 1000.0;
      const auto steps = solve_steps(problem);
      CHECK_FALSE(steps[0].report.surface.worn_volume.has_value());
      std::vector<double> sum(problem.grid.count(), 0.0);
      for (std::size_t k = 1; k < steps.size(); ++k) {
        const StepReport& report = steps[k].report;
        const double volume =
            -kWear / (kFrettingFriction * kHardness) * report.friction_work_total * 1000.0;
        CHECK(report.surface.worn_volume.value() == near(volume, 1e-5));
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += steps[k].fields.wear_depth[i];
        CHECK(relative_difference(sum, steps[k].fields.wear_depth_total) <= 1e-12);  // rounding
        CHECK(report.surface.max_wear_depth.value() ==
              near(1000.0 * *std::ranges::max_element(sum), 1e-12));
      }
      const double way = 0.05 + 0.1 + 0.1;
      if (!gross) {
        CHECK(sum[problem.grid.index(20, 20)] == 0.0);  // the middle adheres
        continue;
      }
      // The tractions of full slip displace by 0.8 of 3 mu P (2 - nu)/(16 a) (1/G + 1/G), that of
      // the middle, in the mean over themselves: once on the first way, twice on each way back.
      const double force = steps[1].report.normal_force;
      const double middle = 3.0 * kFrettingFriction * force / 16.0 * 4.0;
      CHECK(
          steps[3].report.friction_work_total ==
          near(-kFrettingFriction * force * (way - 5.0 * 0.8 * middle), 1e-3));  // elements of a/18
      CHECK(steps[3].report.shift_total_x == near(0.05, 1e-5));
    }
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("fretting: steps continue a state with all that was worn and dissipated before") {
    const ContactProblem problem = to_and_fro(20, TangentialControl::force_ratio, {0.6, -0.6, 0.7});
    const auto whole = solve_steps(problem);
    const auto first = make_solver_under_test(problem);
    first->advance(problem.steps[0]);
    first->advance(problem.steps[1]);
    const auto other = make_solver_under_test(problem);
    other->advance(problem.steps[1]);  // has a worn depth of its own
    other->restore(first->state(), problem.steps[1]);
    other->advance(problem.steps[2]);
    const StepReport report = other->advance(problem.steps[3]);
    CHECK(other->download().wear_depth_total == whole[3].fields.wear_depth_total);
    CHECK(report.friction_work_total == whole[3].report.friction_work_total);
    CHECK(report.friction_work_total ==
          near(whole[1].report.friction_work + whole[2].report.friction_work +
                   whole[3].report.friction_work,
               1e-5));
  }

  TEST_CASE(
      "fretting: a map gives each element the coefficient of its slip velocity and pressure") {
    ContactProblem problem = to_and_fro(20, TangentialControl::rigid, {0.05});
    ArchardMap& map = problem.surface.wear->coefficient;
    map.pressure = {0.004};
    map.slip_velocity = {0.01};
    map.value = {1.0, 2.0, 3.0, 4.0};
    problem.steps[1].tangential.duration = 2.0;  // slips up to 0.05 / 2
    const auto steps = solve_steps(problem);
    const ContactSolution& fields = steps[1].fields;
    bool seen[4] = {};
    for (std::size_t i = 0; i < fields.pressure.size(); ++i) {
      if (fields.element_division[i] != ElementState::slip) continue;
      const double slip = std::hypot(fields.slip_x[i], fields.slip_y[i]);
      const int field = (fields.pressure[i] >= 0.004 ? 2 : 0) + (slip / 2.0 >= 0.01 ? 1 : 0);
      seen[field] = true;
      CHECK(fields.wear_depth_total[i] ==
            near((field + 1.0) * fields.pressure[i] * slip / kHardness, 1e-5));
    }
    CHECK(std::ranges::count(seen, true) >= 2);
  }
}
