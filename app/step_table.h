// Steps as lines of text and as JSON, for `run` and `inspect`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/case_reader.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// One line per step under these two: names, and units.
std::vector<std::string> step_table_head(Units units);
std::string step_table_row(int number, const StepReport& report);

// StepReport::sensitivities as lines; none where they were not asked for.
std::vector<std::string> sensitivity_table(const StepInput& input, const StepReport& report);

// "1 step", "3 steps".
std::string counted(std::size_t count, const std::string& noun);

// All quantities of the step under their names; numbers that are not finite are null.
nlohmann::ordered_json step_json(int number, const StepInput& input, const StepReport& report);

// One JSON document on stdout.
void print_json(const nlohmann::ordered_json& document);

}  // namespace slipfield
