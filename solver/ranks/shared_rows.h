// SPDX-License-Identifier: Apache-2.0
// What is computed with the rows of the grid shared out, over ranks or over GPUs alike.
#pragma once

#include <string>

#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/step/own_rows.h"

namespace slipfield {

// Who shares the rows, for the sentences that refuse: "several ranks", "one process".
struct RowSharers {
  std::string all;
  std::string alone;  // what computes the rest
};

// Throws InputError where the problem asks for more than the normal problem by conjugate gradients
// and the tangential problem by newton.
void require_for_shared_rows(const ContactProblem& problem, const RowSharers& sharers);

}  // namespace slipfield
