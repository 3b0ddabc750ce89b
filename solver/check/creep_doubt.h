// SPDX-License-Identifier: Apache-2.0
// Estimates the errors of long steps of viscoelastic bodies (THEORY.md 5.13).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "solver/problem.h"

namespace slipfield {

struct CreepDoubt {
  std::size_t entry = 0;  // index of the step
  double error = 0.0;     // relative error of the force, or of the pressure
  double duration = 0.0;  // step duration for which it is 1 %
};

// The step with the greatest error above 1 %, found from all steps before it.
std::optional<CreepDoubt> worst_creep(const ContactProblem& problem,
                                      std::span<const StepInput> steps);

// The same of the pressure in the middle of a contact that grows under its normal force.
std::optional<CreepDoubt> worst_growth(const ContactProblem& problem,
                                       std::span<const StepInput> steps);

}  // namespace slipfield
