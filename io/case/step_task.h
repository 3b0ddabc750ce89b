// SPDX-License-Identifier: Apache-2.0
// The input of one step, for any kind of case.
#pragma once

#include <variant>

#include "io/case/reader.h"
#include "solver/problem.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

// The loads of one contact, or a wheelset's position and vertical load.
using StepTask = std::variant<StepInput, WheelsetStep>;

// The number of steps of the case, repeats counted, and step `number`, from 1.
int count_steps(const CaseFile& file);
StepTask step_task(const CaseFile& file, int number);

}  // namespace slipfield
