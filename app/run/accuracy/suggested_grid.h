// SPDX-License-Identifier: Apache-2.0
// How many elements a case of steady rolling needs for a wanted discretisation error.
#pragma once

#include <vector>

#include "solver/problem.h"

namespace slipfield {

// The estimated error on a grid over the case's area: the greatest of the forces' over mu F_n and,
// where a force is prescribed, of the creepage's over the creepage (THEORY.md 11.6).
struct GridError {
  int mx = 0;
  int my = 0;
  double error = 0.0;
};

struct SuggestedGrid {
  std::vector<GridError> measured;  // two, the coarser one first
  double order = 1.0;               // of the scheme: 1, of second order 1.5 (THEORY.md 5.8)
  Grid grid;                        // the grid for the error wanted, over the same area
  double step = 0.0;  // the rolling step in it, as many elements as the case's own or an element
};

// Solves the last step that rolls steadily on two coarse grids, on the CPU, and extrapolates.
// wanted: in (0, 1). Throws InputError where the case has no such step, has values of single
// elements, where no two grids of at most 512 elements in a row have an estimate, or where the
// grid would have more than kMaxElements in a row.
SuggestedGrid suggest_grid(const ContactProblem& problem, double wanted);

}  // namespace slipfield
