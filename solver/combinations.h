// SPDX-License-Identifier: Apache-2.0
// What combines with what: the features of a problem, which pairs of them do not go together, and
// which ways of computing do not take them. One table (check/combinations.cpp): check_problem()
// refuses from it, GPUs, ranks and batches refuse from it, and app/RUNNING.md prints it.
#pragma once

#include <string>
#include <vector>

#include "solver/problem.h"
#include "solver/problem_check.h"

namespace slipfield {

// Besides one process on the CPU, which computes everything that check_problem() accepts.
// derivatives: of a step, after it (gradient/step_derivatives.h).
enum class Way { gpu, several_gpus, several_ranks, batch, derivatives };

// Why this way does not take the problem, as a clause ("its grid is periodic"); empty: it does.
std::string refusal_on(Way way, const ContactProblem& problem);

// Throws InputError where the way does not take the problem. `accepted`: what does, where that is
// not another way.
void require_on(Way way, const ContactProblem& problem, const std::string& accepted = {});

// Why the problem has no error estimate, as a clause ("only steady rolling has one"); empty: it may
// ask for one.
std::string refusal_of_estimate(const ContactProblem& problem);

// Why stresses inside the bodies are not computed; empty: they are. Of `problem` count the bodies,
// what is between them, and the grid.
std::vector<Fault> refuse_interior(const ContactProblem& problem);

// A line of the table in app/RUNNING.md.
struct CombinationLine {
  std::string feature;
  std::vector<std::string> not_with;  // other features
  std::vector<std::string> not_on;    // ways
};
std::vector<CombinationLine> combination_lines();

}  // namespace slipfield
