// SPDX-License-Identifier: Apache-2.0
// Attributes of a step's group that describe the step besides its fields, and its sensitivities
// when it is read.
#pragma once

#include <hdf5.h>

#include <filesystem>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

void write_step_attributes(hid_t group, const StepInput& input, const StepReport& report);

// Fills only the input stored in the file: the tangential problem and its rolling data. The report
// gets every number that is stored and no other. Throws InputError, or Hdf5Error if an attribute is
// missing.
void read_step_attributes(hid_t group, const std::filesystem::path& path, StepInput& input,
                          StepReport& report);

}  // namespace slipfield
