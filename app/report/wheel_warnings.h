// SPDX-License-Identifier: Apache-2.0
// What is suspicious in a solved step of a wheel on a rail, as sentences (WheelRecord::warnings).
#pragma once

#include <string>
#include <vector>

#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

// Warnings of a contact begin with "contact 2: ".
std::vector<std::string> wheel_warnings(const SolvedWheelset& wheelset);

// One of them as a run warns of it, and its result keeps it: "step 3, contact 2: ...".
std::string wheel_warning_text(int step, const std::string& warning);

}  // namespace slipfield
