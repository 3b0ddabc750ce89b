// SPDX-License-Identifier: Apache-2.0
// What is computed with the rows of the grid shared out, over ranks or over GPUs alike.
#pragma once

#include <string>

#include "solver/grid.h"
#include "solver/problem.h"

namespace slipfield {

// Who shares the rows, for the sentences that refuse: "several ranks", "one process".
struct RowSharers {
  std::string all;
  std::string alone;  // what computes the rest
};

// Throws InputError where the problem asks for more than the frictionless normal problem by
// conjugate gradients.
void require_for_shared_rows(const ContactProblem& problem, const RowSharers& sharers);

// The whole grid's rows `rows`, as a grid of their own.
Grid slab_of(const Grid& grid, const RowRange& rows);

}  // namespace slipfield
