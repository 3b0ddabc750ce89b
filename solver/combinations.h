// SPDX-License-Identifier: Apache-2.0
// Which features combine: the features of a problem, the pairs that exclude each other, and the
// ways of computing that do not support them. A single table (check/combinations.cpp):
// check_problem(), GPUs, ranks and batches refuse from it, and app/RUNNING.md prints it.
#pragma once

#include <string>
#include <vector>

#include "solver/problem.h"
#include "solver/problem_check.h"

namespace slipfield {

// Ways of computing besides one process on the CPU, which supports everything that check_problem()
// accepts. derivatives: of a step, after it (gradient/step_derivatives.h).
enum class Way { gpu, several_gpus, several_ranks, batch, derivatives };

// Why this way does not support the problem, as a clause ("its grid is periodic"); empty if it
// does.
std::string refusal_on(Way way, const ContactProblem& problem);

// Throws InputError if the way does not support the problem. accepted: what supports it, if not
// another way.
void require_on(Way way, const ContactProblem& problem, const std::string& accepted = {});

// Why the problem has no error estimate, as a clause ("only steady rolling has one"); empty: it may
// ask for one.
std::string refusal_of_estimate(const ContactProblem& problem);

// Why stresses inside the bodies are not available; empty if they are. Only the bodies, what is
// between them, and the grid of `problem` matter.
std::vector<Fault> refuse_interior(const ContactProblem& problem);

// A line of the table in app/RUNNING.md.
struct CombinationLine {
  std::string feature;
  std::vector<std::string> not_with;  // other features
  std::vector<std::string> not_on;    // ways
};
std::vector<CombinationLine> combination_lines();

}  // namespace slipfield
