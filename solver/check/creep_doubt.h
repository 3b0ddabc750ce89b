// SPDX-License-Identifier: Apache-2.0
// Estimates the error of the force that a long shift of viscoelastic bodies makes (THEORY.md 5.13).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "solver/problem.h"

namespace slipfield {

struct CreepDoubt {
  std::size_t entry = 0;  // of the steps
  double error = 0.0;     // of the force, relative
  double duration = 0.0;  // of a step in which it is 1 %
};

// The step of the greatest error above 1 %, from all steps before it.
std::optional<CreepDoubt> worst_creep(const ContactProblem& problem,
                                      std::span<const StepInput> steps);

}  // namespace slipfield
