// SPDX-License-Identifier: Apache-2.0
// Contacts in steady rolling, for tests of its schemes.
#pragma once

#include <cmath>
#include <numbers>

#include "tests/support/oracle_contact.h"

namespace slipfield::test {

// n x n elements; the longer axis along the direction of rolling, one of the grid's.
inline ContactProblem rolling_ellipse(int n, RollingScheme scheme, double direction = 0.0) {
  const bool turned = std::abs(std::sin(direction)) > 0.5;
  const double a = turned ? 1.5 : 2.0;
  const double b = turned ? 2.0 : 1.5;
  ContactProblem problem = normal_problem(centred_grid(n, n, 1.15 * a, 1.15 * b), {1.0, 0.28},
                                          HertzShape{a, b, 0.01}, NormalControl::force, 0.01, 1e-7);
  problem.solver.rolling = scheme;
  problem.steps[0].friction.coefficient = 0.3;
  Tangential& t = problem.steps[0].tangential;
  t.problem = TangentialProblem::steady_rolling;
  t.direction = direction;
  t.step = turned ? problem.grid.dy : problem.grid.dx;
  // The same motion against the direction of rolling.
  const double along = 2.0e-4;
  const double lateral = -1.5e-4;
  t.x = {TangentialControl::rigid, along * std::cos(direction) - lateral * std::sin(direction)};
  t.y = {TangentialControl::rigid, along * std::sin(direction) + lateral * std::cos(direction)};
  t.rotation = 1.2e-4;
  return problem;
}

// A creepage and the spin that all but balances it at the leading edge. part: of an element, the
// step.
inline ContactProblem balanced_spin(int n, double part, double margin = 1.1) {
  ContactProblem problem =
      normal_problem(centred_grid(n, n, 8.0 * margin, 4.0 * margin), {82000.0, 0.28},
                     HertzShape{8.0, 4.0, 82000.0}, NormalControl::force, 82000.0, 1e-6);
  problem.steps[0].friction.coefficient = 0.3;
  Tangential& t = problem.steps[0].tangential;
  t.problem = TangentialProblem::steady_rolling;
  t.step = part * problem.grid.dx;
  t.velocity = 30000.0;
  t.y = {TangentialControl::rigid, -6.25e-4};
  t.rotation = 6.25e-4;
  return problem;
}

// An aluminium roller that rolls on a steel one without a tangential force: the width of 0.216 mm
// in n elements [Bentall and Johnson; cases/dissimilar_rollers.yaml].
inline ContactProblem unlike_rollers(int n, double friction) {
  const double width = 0.216;
  ContactProblem problem =
      normal_problem({n, 1, width / n, 1000.0, -0.5 * width, -500.0}, {23000.0, 0.31},
                     QuadraticShape{0.02}, NormalControl::force, 16201.9, 1e-6);
  problem.lower = {82000.0, 0.28};
  problem.steps[0].friction.coefficient = friction;
  Tangential& t = problem.steps[0].tangential;
  t.problem = TangentialProblem::steady_rolling;
  t.direction = std::numbers::pi;
  t.step = problem.grid.dx;
  t.x = {TangentialControl::force, 0.0};
  return problem;
}

}  // namespace slipfield::test
