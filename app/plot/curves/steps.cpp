// SPDX-License-Identifier: Apache-2.0
#include "app/plot/curves/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/scale.h"
#include "io/result/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// Changes by more than what tolerances leave.
bool changes(const SweepTable& table, std::string_view name, double noise) {
  const SweepColumn* column = table.find(name);
  if (column == nullptr) return false;
  Range range = kNoRange;
  range.include(column->values);
  return !range.empty() && range.high - range.low > noise;
}

// Each force with the motion that goes with it.
std::vector<std::string> telling_quantities(const SweepTable& table) {
  constexpr double kNoise = 1.0e-3;  // of a ratio: less is nothing that a curve tells
  constexpr double kStepRounding = 1.0e-12;
  std::vector<std::string> names;
  for (const char* name : {"force_ratio_x", "force_ratio_y"})
    if (changes(table, name, kNoise)) names.emplace_back(name);
  for (const char* name : {"creepage_x", "creepage_y", "shift_x", "shift_y"})
    if (changes(table, name, kStepRounding)) names.emplace_back(name);
  if (names.empty()) names = {"normal_force", "approach"};
  return names;
}

}  // namespace

SweepTable table_of_steps(const ResultFile& result) {
  std::vector<StepRows> rows;
  SweepInput number{"step", {}, {}, Spacing::linear};
  for (const ResultStep& step : result.steps()) {
    rows.push_back(rows_of_step(step.number, step.input, step.report));
    number.texts.push_back(std::to_string(step.number));
    number.numbers.push_back(step.number);
  }
  SweepTable table = table_of_steps(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) table.keys[i].point = rows[i].step;
  table.inputs = {number};
  return table;
}

SweepFile curves_over_steps(const ResultFile& result, SweepFigureRequest& request) {
  if (result.steps().size() < 2)
    throw InputError(fmt::format(
        "{}: it holds one step, and a curve needs two or more; accepted: a sequence, with "
        "`output: {{steps: all}}`",
        result.path().string()));
  SweepFile file{result.info(), table_of_steps(result), {}};
  if (request.quantities.empty()) request.quantities = telling_quantities(file.table);
  request.over = "step";
  request.summary = fmt::format("{} steps", result.steps().size());
  return file;
}

}  // namespace slipfield
