// SPDX-License-Identifier: Apache-2.0
// Which problems roll, along which axis, and how long a rolling step is compared with an element.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/grid.h"
#include "solver/problem.h"

namespace slipfield {

inline bool is_rolling(TangentialProblem problem) {
  return problem == TangentialProblem::transient_rolling ||
         problem == TangentialProblem::steady_rolling;
}

// direction: chi [rad]; forwards or backwards.
inline bool rolls_along_x(double direction) {
  return std::abs(std::cos(direction)) > 1.0 - 1.0e-12;
}
inline bool rolls_along_y(double direction) {
  return std::abs(std::sin(direction)) > 1.0 - 1.0e-12;
}

// For rolling along x or y: whether the leading edge is at the greatest x or y.
inline bool rolls_forwards(double direction) {
  return (rolls_along_y(direction) ? std::sin(direction) : std::cos(direction)) > 0.0;
}

// The default step of a case: dx along x, dy along y, in between such that square elements have the
// same length in every direction.
inline double element_length(double direction, const Grid& grid) {
  if (rolls_along_x(direction) || grid.dx == grid.dy) return grid.dx;
  if (rolls_along_y(direction)) return grid.dy;
  return 1.0 / std::hypot(std::cos(direction) / grid.dx, std::sin(direction) / grid.dy);
}

// The longest step that leads from an element to one that touches it: at most dx in x and dy in y.
inline double longest_step(double direction, const Grid& grid) {
  if (rolls_along_x(direction)) return grid.dx;
  if (rolls_along_y(direction)) return grid.dy;
  return std::min(grid.dx / std::abs(std::cos(direction)), grid.dy / std::abs(std::sin(direction)));
}

inline bool steps_over_element(const Tangential& tangential, const Grid& grid) {
  return tangential.step > longest_step(tangential.direction, grid) * (1.0 + 1.0e-9);
}

// Whether elements that enter the contact at its leading edge are in contact for only part of the
// step (THEORY.md 5.5): in steps along x or y that are longer than an element.
inline bool enters_within_step(const Tangential& tangential, const Grid& grid) {
  return is_rolling(tangential.problem) && steps_over_element(tangential, grid) &&
         (rolls_along_x(tangential.direction) || rolls_along_y(tangential.direction));
}

// Converts slip distances of a step to slip velocities [1/time]: V/dq in rolling, 1/duration in a
// shift; 0 if the step has no time.
inline double slip_rate(const Tangential& tangential) {
  if (is_rolling(tangential.problem)) return tangential.velocity / tangential.step;
  const bool timed = tangential.problem == TangentialProblem::shift && tangential.duration > 0.0;
  return timed ? 1.0 / tangential.duration : 0.0;
}

// The velocity of elements that slide from the start of a step: V in rolling; in a shift infinity,
// beyond all velocities that a law depends on.
inline double sliding_velocity(const Tangential& tangential) {
  return is_rolling(tangential.problem) ? tangential.velocity
                                        : std::numeric_limits<double>::infinity();
}

// Steady rolling takes differences of coefficients over a step: in a shorter one rounding leaves
// fewer digits than the solver's tolerance needs.
inline double shortest_steady_step(double direction, const Grid& grid) {
  return 1.0e-6 * element_length(direction, grid);
}

// Below 0.3 of an element the coefficients one step apart are nearly antisymmetric: steady rolling
// then costs much more and is no more accurate (THEORY.md 5.4, 6.12).
inline bool is_short_steady_step(double step, double direction, const Grid& grid) {
  constexpr double kLeast = 0.3;
  return step < (1.0 - 1.0e-9) * kLeast * element_length(direction, grid);
}

}  // namespace slipfield
