// SPDX-License-Identifier: Apache-2.0
// A contact without any symmetry, and loads for it.
#pragma once

#include <array>

#include "tests/support/oracle_contact.h"

namespace slipfield::test {

inline constexpr ElasticBody kBody{0.8, 0.3};
inline constexpr std::array<TangentialMethod, 2> kTangentialMethods{TangentialMethod::gauss_seidel,
                                                                    TangentialMethod::newton};

// A tilted paraboloid off the centre of the grid under a force that fills a third of the grid.
inline ContactProblem skew_problem(const Grid& grid, double tolerance = 1e-9) {
  ContactProblem problem = normal_problem(grid, kBody, tilted_paraboloid(grid),
                                          NormalControl::approach, 0.12, tolerance);
  problem.steps[0].friction.coefficient = 0.35;
  problem.steps[0].tangential.problem = TangentialProblem::shift;
  return problem;
}

inline Grid skew_grid() { return {37, 29, 0.04, 0.06, -0.7, -0.9}; }

inline Tangential prescribed(TangentialLoad x, TangentialLoad y, double rotation = 0.0) {
  Tangential tangential;
  tangential.problem = TangentialProblem::shift;
  tangential.x = x;
  tangential.y = y;
  tangential.rotation = rotation;
  return tangential;
}
inline TangentialLoad shift(double value) { return {TangentialControl::rigid, value}; }
inline TangentialLoad ratio(double value) { return {TangentialControl::force_ratio, value}; }
inline TangentialLoad force(double value) { return {TangentialControl::force, value}; }

// Shift at which about half of the contact slips, for skew_problem.
inline double typical_shift(const ContactProblem& problem) {
  return 0.5 * problem.steps[0].friction.coefficient * problem.steps[0].normal.value;
}

}  // namespace slipfield::test
