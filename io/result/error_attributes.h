// SPDX-License-Identifier: Apache-2.0
// Estimated discretisation errors of a step: attributes of its group in the file.
#pragma once

#include <hdf5.h>

#include <span>
#include <string_view>

#include "io/result/field_table.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

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

// Writes the step's errors as attributes.
void write_errors(hid_t group, const StepInput& input, const StepReport& report);
void read_errors(hid_t group, StepReport& report);

}  // namespace slipfield
