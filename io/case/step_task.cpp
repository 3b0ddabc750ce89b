// SPDX-License-Identifier: Apache-2.0
#include "io/case/step_task.h"

#include <cstddef>

#include "io/case/wheel_rail/wheel_rail.h"

namespace slipfield {

int count_steps(const CaseFile& file) {
  return file.wheel_rail ? file.wheel_rail->count() : count_steps(file.problem.steps);
}

StepTask step_task(const CaseFile& file, int number) {
  if (file.wheel_rail) return *file.wheel_rail->step(number);
  std::size_t entry = 0;
  for (int last = 0; (last += file.problem.steps.at(entry).repeat) < number;) ++entry;
  return file.problem.steps.at(entry);
}

}  // namespace slipfield
