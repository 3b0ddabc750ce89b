// SPDX-License-Identifier: Apache-2.0
// Steps as lines of text and as JSON, for `run` and `inspect`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// Whether the step has no friction; its elements in contact then neither stick nor slip.
bool is_frictionless(const StepInput& input, const StepReport& report);

// StepReport's estimated errors in a line; none where there are none.
std::vector<std::string> error_lines(Units units, const StepInput& input, const StepReport& report);

// Wear, temperature, shakedown and area of contact in a line; none where the case asks for none.
std::vector<std::string> surface_lines(Units units, const StepInput& input,
                                       const StepReport& report);

// StepReport's sensitivities as lines; none where they were not asked for.
std::vector<std::string> sensitivity_table(const StepInput& input, const StepReport& report);

// "1 step", "3 steps".
std::string counted(std::size_t count, const std::string& noun);

// All quantities of the step under their names; numbers that are not finite are null.
nlohmann::ordered_json step_json(int number, const StepInput& input, const StepReport& report,
                                 const std::vector<std::string>& warnings);

// One JSON document on stdout.
void print_json(const nlohmann::ordered_json& document);

}  // namespace slipfield
