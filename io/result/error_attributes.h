// SPDX-License-Identifier: Apache-2.0
// The estimated discretisation errors of a step in its file: attributes of its group.
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
  std::string_view quantity;  // whose error it is: force_x ...
  std::string_view description;
  Dimension dimension;
  double DiscretisationError::*value;
};
std::span<const ErrorEntry> error_table();
const ErrorEntry* find_error(std::string_view name);  // null: not one of them

// Whether the step has such an error: those of creepages where their
// force is prescribed, of T-gamma where wear is asked for.
bool has_error(const ErrorEntry& entry, const StepReport& report);

// Attributes of the errors that the step has, and friction_power_error with a velocity.
inline constexpr std::string_view kPowerErrorName = "friction_power_error";
void write_errors(hid_t group, const StepInput& input, const StepReport& report);
void read_errors(hid_t group, StepReport& report);

}  // namespace slipfield
