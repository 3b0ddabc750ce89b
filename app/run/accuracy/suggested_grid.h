// SPDX-License-Identifier: Apache-2.0
// Suggests the number of elements that a case of steady rolling needs for a given error.
#pragma once

#include <vector>

#include "solver/problem.h"

namespace slipfield {

// The estimated error on a grid over the case's area: the greater of the forces' over mu F_n and,
// if a force is prescribed, of the creepage's over the creepage (THEORY.md 11.6).
struct GridError {
  int mx = 0;
  int my = 0;
  double error = 0.0;
};

struct SuggestedGrid {
  std::vector<GridError> measured;  // two, the coarser one first
  double order = 1.0;               // of the scheme: 1, for second order 1.5 (THEORY.md 5.8)
  Grid grid;                        // for the error wanted, over the same area
  double step = 0.0;                // its rolling step: as many elements as the case's, or one
};

// Solves the case's last steady rolling step on two coarse grids on the CPU and extrapolates.
// wanted: in (0, 1). Throws InputError if the case has no such step, if it gives values of single
// elements, if no two grids of at most 512 elements in a row give an estimate, or if the suggested
// grid would have more than kMaxElements in a row.
SuggestedGrid suggest_grid(const ContactProblem& problem, double wanted);

}  // namespace slipfield
