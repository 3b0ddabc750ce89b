// SPDX-License-Identifier: Apache-2.0
// Derivatives of many contacts that a batch has solved, backwards: what StepDerivatives::gradient()
// gives for each, by the batch's own teams and operators (small_adjoint.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "solver/batch/batch.h"
#include "solver/gradient/step_derivatives.h"

namespace slipfield {

// For each contact its scalars, by their derivatives to the results: sizes and values are sound.
using BatchScalars = std::vector<std::vector<StepOutputs>>;

// Vectors with one value for each contact of the batch; shapes are undeformed distances.
struct AdjointBatch {
  const ContactBatch* contacts = nullptr;
  const std::vector<BatchFields>* fields = nullptr;  // of its solution, all of them
  const std::vector<StepReport>* reports = nullptr;
  const BatchScalars* seeds = nullptr;
};

struct AdjointOptions {
  int threads = 0;      // as in BatchOptions
  bool heights = true;  // which fields of StepInputs are wanted; the others stay empty
  bool friction = true;
  // Accepted residual of a linear system relative to its right-hand side, as part of the contact's
  // own tolerance; 0: rounding.
  double of_tolerance = 0.0;
  std::function<bool(std::size_t done)> progress{};
};

struct AdjointSolution {
  // One for each scalar; none if the contact has not converged or its systems were not solved,
  // which StepDerivatives may still do.
  std::vector<StepInputs> gradients;
  std::int64_t near_change = 0;  // as StepDerivatives::near_change()
};

std::vector<AdjointSolution> solve_adjoints_on_cpu(const AdjointBatch& batch,
                                                   const AdjointOptions& options = {});

// A batch and its derivatives. options.fields: whether the solution has its fields.
struct SolvedWithGradients {
  BatchSolution solution;
  std::vector<AdjointSolution> gradients;
};
SolvedWithGradients solve_with_gradients_on_cpu(const ContactBatch& batch,
                                                const BatchOptions& options,
                                                const BatchScalars& scalars,
                                                const AdjointOptions& adjoint);

}  // namespace slipfield
