// SPDX-License-Identifier: Apache-2.0
// Steps as lines of text and as JSON, for `run` and `inspect`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/shown_table.h"
#include "io/case/reader.h"
#include "io/result/field_table.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// One line per step, with the columns that fit. found: the motions that forces left to be found, as
// found_motions().
class StepTable {
 public:
  // width: characters of a line; 0: as many as it takes.
  StepTable(Units units, std::vector<std::string> found, int width);
  [[nodiscard]] std::vector<std::string> head() const;
  [[nodiscard]] std::string row(int number, const StepInput& input, const StepReport& report) const;

 private:
  std::vector<TableColumn> columns_;
  std::vector<std::size_t> shown_;
  std::vector<std::string> found_;
};

// The value of the table's quantity, 0 where it is noise.
double shown_value(const QuantityEntry& entry, const StepReport& report);

// Whether the step has no friction; its elements in contact then neither stick nor slip.
bool is_frictionless(const StepInput& input, const StepReport& report);

// The total says nothing of a step without friction: there every element counts as slip.
bool needs_friction(std::string_view total);

// A number of a step as `inspect` and reports show it.
struct ShownNumber {
  std::string name;
  double value = 0.0;
  std::string unit;
  std::string description;
};
// All of a step: totals, their estimated errors, those of the surfaces.
std::vector<ShownNumber> shown_numbers(const StepInput& input, const StepReport& report,
                                       Units units);

// StepReport's estimated errors in one line; empty where there are none.
std::string error_line(Units units, const StepReport& report);

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
