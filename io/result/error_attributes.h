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
  bool times_slip_rate = false;  // as friction_power is friction_work times slip_rate()
};
std::span<const ErrorEntry> error_table();
const ErrorEntry* find_error(std::string_view name);  // null: not one of them

// NaN where the step has no such error: it has those of creepages where their force is prescribed,
// of T-gamma where wear is asked for, of the power with a velocity.
double error_of(const ErrorEntry& entry, const StepInput& input, const StepReport& report);

// Attributes of the errors that the step has.
void write_errors(hid_t group, const StepInput& input, const StepReport& report);
void read_errors(hid_t group, StepReport& report);

}  // namespace slipfield
