// SPDX-License-Identifier: Apache-2.0
// The rows of a grid shared out over several cards, against one card. Device 0 is named several
// times, so that one card will do; where the machine has two, also over both.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "gpu/cuda_device.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

namespace slipfield::test {

using Devices = std::vector<int>;

// Two shares and three, and both cards where there are two.
inline std::vector<Devices> teams() {
  std::vector<Devices> all = {{0, 0}, {0, 0, 0}};
  if (cuda_status().devices.size() > 1) all.push_back({0, 1});
  return all;
}

// kRounding: a hundred times the tolerance of both. Rolling of second order keeps the corrections
// that tractions found to a few digits less ask for.
inline constexpr double kRounding = 1e-10;
inline constexpr double kSecondOrderRounding = 1e-7;

inline void check_same_solution(const Solved& one, const Solved& several,
                                double rounding = kRounding) {
  check_equal(one, several, rounding);
  CHECK(relative_difference(several.fields.displacement_n, one.fields.displacement_n) <= rounding);
  CHECK(relative_difference(several.fields.displacement_x, one.fields.displacement_x) <= rounding);
  CHECK(relative_difference(several.fields.displacement_y, one.fields.displacement_y) <= rounding);
  CHECK(relative_difference(several.fields.traction_bound, one.fields.traction_bound) <= rounding);
  CHECK(several.fields.undeformed_distance == one.fields.undeformed_distance);
  CHECK(several.fields.element_division == one.fields.element_division);
  CHECK(several.report.approach == near(one.report.approach, rounding));
  CHECK(several.report.elastic_energy == near(one.report.elastic_energy, rounding));
  CHECK(several.report.touches_edge == one.report.touches_edge);
}

// On a free grid; bodies unlike each other couple pressure and tractions.
inline ContactProblem free_problem(int mx, int my, bool unlike, double tolerance) {
  const Grid grid = centred_grid(mx, my, 1.0, 0.8);
  ContactProblem problem = normal_problem(grid, {1.0, 0.28}, tilted_paraboloid(grid),
                                          NormalControl::force, 0.3, tolerance);
  if (unlike) problem.lower = {5.0, 0.1};
  problem.steps[0].friction.coefficient = 0.3;
  problem.solver.influence = InfluenceMethod::fft;
  return problem;
}

// With a contact so large that no window of the grid pays (THEORY.md 8.3).
inline ContactProblem filling(ContactProblem problem) {
  problem.steps[0].normal.value = 0.06 * std::max(problem.grid.mx, problem.grid.my);
  return problem;
}

// With a contact of a sixteenth of the grid, which both problems solve in windows.
inline ContactProblem in_window(ContactProblem problem) {
  problem.steps[0].normal.value = 0.02;
  return problem;
}

// A shift with a force along x given.
inline ContactProblem sliding_problem(int mx, int my, bool unlike, double tolerance = 1e-12) {
  ContactProblem problem = free_problem(mx, my, unlike, tolerance);
  StepInput& step = problem.steps[0];
  step.tangential.problem = TangentialProblem::shift;
  step.tangential.x = {TangentialControl::force_ratio, -0.6};
  step.tangential.y = {TangentialControl::rigid, 0.002};
  return problem;
}

inline constexpr double kAlongX = 0.0;
inline constexpr double kAlongY = std::numbers::pi / 2.0;

// Steady rolling by `elements` elements per step.
inline ContactProblem rolling_problem(int mx, int my, bool unlike, double direction,
                                      double elements) {
  ContactProblem problem = sliding_problem(mx, my, unlike);
  Tangential& tangential = problem.steps[0].tangential;
  tangential.problem = TangentialProblem::steady_rolling;
  tangential.direction = direction;
  tangential.step = elements * (direction == kAlongY ? problem.grid.dy : problem.grid.dx);
  tangential.velocity = 1.0;
  tangential.x = {TangentialControl::rigid, 0.004};
  tangential.y = {TangentialControl::force_ratio, 0.2};
  tangential.rotation = 0.05;
  return problem;
}

inline void check_on_all_teams(const ContactProblem& problem, double rounding = kRounding) {
  CAPTURE(problem.grid.mx);
  CAPTURE(problem.grid.my);
  const Solved one = solve(problem, *make_cuda_solver(problem));
  for (const Devices& devices : teams()) {
    CAPTURE(devices.size());
    check_same_solution(one, solve(problem, *make_cards_solver(problem, devices)), rounding);
  }
}

}  // namespace slipfield::test
