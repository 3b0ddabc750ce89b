// SPDX-License-Identifier: Apache-2.0
// Derivatives through a sequence of converged steps, in shifts and transient rolling: the tractions
// that a step leaves displace the particles that the next one begins with (THEORY.md 11.8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/gradient/step_derivatives.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// A step that has been solved; whoever has its parts keeps them.
struct SolvedStep {
  const StepInput* input = nullptr;
  const StepReport* report = nullptr;
  const ContactSolution* solution = nullptr;  // all fields
};

class SequenceDerivatives {
 public:
  // steps: each continues from the one before it; the first from nothing, or from a state that is
  // held. problem and steps outlive this.
  // make: as of StepDerivatives.
  SequenceDerivatives(const ContactProblem& problem, std::vector<SolvedStep> steps,
                      StepSystemsMaker make = {});

  // dJ of the inputs of each step, where seeds[k] has dJ of the outputs of steps[k]. One step after
  // another, backwards: no more memory than one of them takes. Throws as StepDerivatives, naming
  // the step.
  std::vector<StepInputs> gradient(const std::vector<StepOutputs>& seeds);
  // What changes in each step with the inputs of all. Throws as gradient().
  std::vector<StepOutputs> derivative(const std::vector<StepInputs>& directions);

  // Throws InputError where `count` is not the number of steps; both of the above ask it.
  void require_one_each(std::size_t count) const;

  // A count for each step, as StepDerivatives::near_change(); after a call of either.
  [[nodiscard]] const std::vector<std::int64_t>& near_change() const { return near_change_; }

 private:
  template <class Result, class Find>
  Result of_step(std::size_t k, const Find& find);

  const ContactProblem& problem_;
  std::vector<SolvedStep> steps_;
  StepSystemsMaker make_;
  std::vector<std::int64_t> near_change_;
};

}  // namespace slipfield
