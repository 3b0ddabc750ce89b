// SPDX-License-Identifier: Apache-2.0
// Attributes of a step's group that describe the step besides its fields, and its sensitivities
// when it is read.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <span>
#include <string_view>

#include "io/result/field_table.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

void write_step_attributes(hid_t group, const StepInput& input, const StepReport& report);

// Fills only the input stored in the file: the tangential problem and its rolling data. The report
// gets every number that is stored and no other. Throws InputError, or Hdf5Error if an attribute is
// missing.
void read_step_attributes(hid_t group, const std::filesystem::path& path, StepInput& input,
                          StepReport& report);

// --- Estimated discretisation errors.

struct ErrorEntry {
  std::string_view name;      // force_x_error ...
  std::string_view quantity;  // the one with this error: force_x ...
  std::string_view description;
  Dimension dimension;
  double DiscretisationError::*value;
  bool times_slip_rate = false;  // like friction_power = friction_work times slip_rate()
};
std::span<const ErrorEntry> error_table();
const ErrorEntry* find_error(std::string_view name);  // null for other names

// NaN if the step has no such error. Errors of creepages exist if their force is prescribed, of
// T-gamma if wear is requested, of the power with a velocity.
double error_of(const ErrorEntry& entry, const StepInput& input, const StepReport& report);

}  // namespace slipfield
