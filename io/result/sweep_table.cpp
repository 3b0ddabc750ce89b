#include "io/result/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "io/result/surface/table.h"

namespace slipfield {

std::string number_as_text(double number) { return fmt::format("{}", number); }

std::string_view point_outcome_name(PointOutcome outcome) {
  switch (outcome) {
    case PointOutcome::converged:
      return "converged";
    case PointOutcome::not_converged:
      return "not_converged";
    case PointOutcome::failed:
      return "failed";
    case PointOutcome::not_run:
      return "not_run";
  }
  return "";
}

const SweepColumn* SweepTable::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const SweepColumn& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

const SweepInput* SweepTable::find_input(std::string_view key) const {
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const SweepInput& input) { return input.key == key; });
  return found == inputs.end() ? nullptr : &*found;
}

std::string SweepTable::describe(std::size_t point) const {
  std::string text;
  for (const SweepInput& input : inputs)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", input.key, input.texts[point]);
  return text;
}

SweepTable empty_sweep_table(std::vector<SweepInput> inputs, std::vector<std::size_t> shape) {
  SweepTable table;
  table.inputs = std::move(inputs);
  table.shape = std::move(shape);
  const std::size_t count =
      std::accumulate(table.shape.begin(), table.shape.end(), std::size_t{1}, std::multiplies<>());
  for (std::string& name : sweep_column_names())
    table.columns.push_back(
        {std::move(name), std::vector(count, std::numeric_limits<double>::quiet_NaN())});
  table.outcomes.assign(count, PointOutcome::not_run);
  table.messages.resize(count);
  table.touches_edge.resize(count);
  return table;
}

std::vector<std::string> sweep_column_names() {
  std::vector<std::string> names = quantity_names();
  for (const WheelEntry& entry : wheel_table()) names.emplace_back(entry.name);
  for (const PatchEntry& entry : patch_table()) names.emplace_back(entry.name);
  return names;
}

void set_totals(SweepTable& table, std::size_t point, const NamedNumbers& totals) {
  for (SweepColumn& column : table.columns)
    if (const auto found = totals.find(column.name); found != totals.end())
      column.values[point] = found->second;
}

void set_totals(SweepTable& table, std::size_t point, const StepInput& input,
                const StepReport& report) {
  for (SweepColumn& column : table.columns)
    if (has_quantity(input, column.name) || find_surface_number(column.name) != nullptr)
      column.values[point] = quantity(report, input, column.name);
}

void drop_empty_columns(SweepTable& table) {
  const auto is_empty = [](const SweepColumn& column) {
    return std::all_of(column.values.begin(), column.values.end(),
                       [](double value) { return std::isnan(value); });
  };
  table.columns.erase(std::remove_if(table.columns.begin(), table.columns.end(), is_empty),
                      table.columns.end());
}

}  // namespace slipfield
