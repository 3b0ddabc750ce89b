// SPDX-License-Identifier: Apache-2.0
// The features of a problem that do not go together (solver/combinations.h), as faults.
#pragma once

#include <bitset>
#include <string>

#include "solver/check/fault_list.h"
#include "solver/problem.h"

namespace slipfield {

// A step in messages: how its fields begin ("steps[2]."), and what follows a reason that is
// placed at another field (" (step 3)").
struct StepName {
  std::string path;
  std::string at;
};

// The problem, or the grid, must outlive it. Each value has to be in its range or to be checked
// elsewhere; enumerators have to be known.
class CombinationCheck {
 public:
  using Features = std::bitset<96>;

  explicit CombinationCheck(const ContactProblem& problem);
  // Where only the grid is known: checks what a step's motion and friction need.
  explicit CombinationCheck(const Grid& grid);

  // The problem without its steps.
  void problem(FaultList& faults);
  // A step, in itself and with the problem.
  void step(const StepInput& step, const StepName& name, FaultList& faults);

 private:
  void report(std::size_t index, const StepInput* step, const StepName& name, FaultList& faults);

  const ContactProblem* problem_ = nullptr;
  const Grid& grid_;
  Features features_;          // of the problem
  Features known_;             // those of a step that count
  std::bitset<128> reported_;  // pairs whose field is of the problem
};

}  // namespace slipfield
