// Which problems roll, along which axis, and how long a rolling step is against an element.
#pragma once

#include <algorithm>
#include <cmath>

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

// dx along x; obliquely the smaller one of dx and dy.
inline double element_length(double direction, const Grid& grid) {
  return rolls_along_x(direction) ? grid.dx : std::min(grid.dx, grid.dy);
}

inline bool steps_over_element(const Tangential& tangential, const Grid& grid) {
  return tangential.step > element_length(tangential.direction, grid) * (1.0 + 1.0e-9);
}

}  // namespace slipfield
