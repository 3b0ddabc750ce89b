// SPDX-License-Identifier: Apache-2.0
// Derivatives through a sequence of converged steps, in shifts and transient rolling: the tractions
// of a step displace the particles with which the next one starts (THEORY.md 11.8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/gradient/step_derivatives.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// A solved step; the caller keeps the objects alive.
struct SolvedStep {
  const StepInput* input = nullptr;
  const StepReport* report = nullptr;
  const ContactSolution* solution = nullptr;  // all fields
};

class SequenceDerivatives {
 public:
  // steps: each continues from the one before it; the first starts unloaded, or from a state that
  // is held fixed. problem and steps must outlive this. make: as in StepDerivatives.
  SequenceDerivatives(const ContactProblem& problem, std::vector<SolvedStep> steps,
                      StepSystemsMaker make = {});

  // Returns dJ of the inputs of each step, given dJ of the outputs of steps[k] in seeds[k]. Runs
  // backwards one step at a time, so that it takes no more memory than a single step. Throws like
  // StepDerivatives, naming the step.
  std::vector<StepInputs> gradient(const std::vector<StepOutputs>& seeds);
  // Returns the change of each step's outputs with the inputs of all steps. Throws like gradient().
  std::vector<StepOutputs> derivative(const std::vector<StepInputs>& directions);

  // Throws InputError unless `count` is the number of steps; both functions above call it.
  void require_one_each(std::size_t count) const;

  // StepDerivatives::near_change() of each step, after a call of gradient() or derivative().
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
