// SPDX-License-Identifier: Apache-2.0
#include "io/case/step_task.h"

#include "io/case/wheel_rail/wheel_rail.h"

namespace slipfield {

int count_steps(const CaseFile& file) {
  return file.wheel_rail ? file.wheel_rail->count() : count_steps(file.problem.steps);
}

StepTask step_task(const CaseFile& file, int number) {
  if (file.wheel_rail) return *file.wheel_rail->step(number);
  return file.problem.steps.at(entry_of_step(file.problem.steps, number));
}

}  // namespace slipfield
