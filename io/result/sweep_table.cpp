// SPDX-License-Identifier: Apache-2.0
#include "io/result/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "io/result/surface/table.h"

namespace slipfield {

PointRange common_points(const PointRange& a, const PointRange& b) {
  const int first = std::max(a.first, b.first);
  return {first, std::max(0, std::min(a.end(), b.end()) - first)};
}

std::string points_text(const PointRange& points) {
  if (points.count == 1) return fmt::format("point {}", points.first);
  return fmt::format("points {} to {}", points.first, points.end() - 1);
}

std::vector<PointRange> blocks_of(const PointRange& points) {
  std::vector<PointRange> blocks;
  for (int first = points.first; first < points.end(); first += kSweepBlock)
    blocks.push_back({first, std::min(kSweepBlock, points.end() - first)});
  return blocks;
}

std::string shard_text(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.of); }

std::optional<Shard> shard_from_text(std::string_view text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [slash, first_failure] = std::from_chars(text.data(), end, shard.index);
  if (first_failure != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [rest, failure] = std::from_chars(slash + 1, end, shard.of);
  const bool good = failure == std::errc() && rest == end && shard.of >= 1 &&
                    shard.of <= kMaxSweepPoints && shard.index >= 1 && shard.index <= shard.of;
  return good ? std::optional(shard) : std::nullopt;
}

PointRange points_of_shard(const Shard& shard, int count) {
  const int each = count / shard.of;
  const int longer = count % shard.of;  // shards with one point more, the first ones
  const int before = shard.index - 1;
  return {before * each + std::min(before, longer) + 1, each + (before < longer ? 1 : 0)};
}

PointRange SweepLayout::whole() const {
  const std::size_t count =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  return {1, static_cast<int>(count)};
}

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

void OutcomeCounts::add(const SweepTable& table) {
  for (const PointOutcome outcome : table.outcomes) ++of.at(static_cast<std::size_t>(outcome));
}

std::size_t OutcomeCounts::points() const {
  return std::accumulate(of.begin(), of.end(), std::size_t{0});
}

SweepTable empty_sweep_table(std::vector<SweepInput> inputs, std::vector<std::size_t> shape) {
  const PointRange all = SweepLayout{{}, shape, {}}.whole();
  return empty_sweep_block(std::move(inputs), std::move(shape), all);
}

SweepTable empty_sweep_block(std::vector<SweepInput> inputs, std::vector<std::size_t> shape,
                             const PointRange& points) {
  SweepTable table;
  table.first_point = points.first;
  table.inputs = std::move(inputs);
  table.shape = std::move(shape);
  const auto count = static_cast<std::size_t>(points.count);
  for (std::string& name : sweep_column_names())
    table.columns.push_back(
        {std::move(name), std::vector(count, std::numeric_limits<double>::quiet_NaN())});
  table.outcomes.assign(count, PointOutcome::not_run);
  table.messages.resize(count);
  table.warnings.resize(count);
  table.touches_edge.resize(count);
  return table;
}

void take_point(SweepTable& table, int number, const SweepTable& from) {
  const auto row = static_cast<std::size_t>(number - table.first_point);
  const auto other_row = static_cast<std::size_t>(number - from.first_point);
  table.outcomes[row] = from.outcomes[other_row];
  table.messages[row] = from.messages[other_row];
  table.warnings[row] = from.warnings[other_row];
  table.touches_edge[row] = from.touches_edge[other_row];
  for (SweepColumn& column : table.columns) {
    const SweepColumn* other = from.find(column.name);
    column.values[row] =
        other != nullptr ? other->values[other_row] : std::numeric_limits<double>::quiet_NaN();
  }
}

std::vector<std::string> sweep_column_names() {
  std::vector<std::string> names = quantity_names();
  for (std::string& name : wheel_entry_names()) names.push_back(std::move(name));
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
