// SPDX-License-Identifier: Apache-2.0
// What a step's group in a file says of the step apart from its fields: the attributes of the
// contract, and when it is read the sensitivities.
#pragma once

#include <hdf5.h>

#include <filesystem>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

void write_step_attributes(hid_t group, const StepInput& input, const StepReport& report);

// Reads of the input only what the file holds: the tangential problem, its rolling data and the
// friction coefficient. Throws InputError, or Hdf5Error where an attribute is missing.
void read_step_attributes(hid_t group, const std::filesystem::path& path, StepInput& input,
                          StepReport& report);

}  // namespace slipfield
