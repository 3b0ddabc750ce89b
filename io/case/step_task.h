// SPDX-License-Identifier: Apache-2.0
// What a step of a case prescribes, whatever kind of case it is.
#pragma once

#include <variant>

#include "io/case/reader.h"
#include "solver/problem.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

// The loads of one contact, or where a wheelset is and what presses it down.
using StepTask = std::variant<StepInput, WheelsetStep>;

// Steps of the case, repeats counted, and the one of that number, from 1.
int count_steps(const CaseFile& file);
StepTask step_task(const CaseFile& file, int number);

}  // namespace slipfield
