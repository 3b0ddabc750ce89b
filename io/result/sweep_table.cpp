// SPDX-License-Identifier: Apache-2.0
#include "io/result/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "io/result/step_attributes.h"
#include "io/result/warnings.h"
#include "io/result/wheel/table.h"

namespace slipfield {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool is_of_side(std::string_view name) {
  return name.starts_with("left_") || name.starts_with("right_");
}

// A row of the resulting table: row `i` of a step, which replaces the rows of its point that begin
// at `from`; or the unchanged row `from`.
struct PlacedRow {
  std::size_t from = 0;
  const StepRows* step = nullptr;
  std::size_t i = 0;
};

// of_step: the value of a placed row that belongs to a step.
template <typename T, typename OfStep>
void place(std::vector<T>& values, const std::vector<PlacedRow>& rows, const OfStep& of_step) {
  std::vector<T> placed;
  placed.reserve(rows.size());
  for (const PlacedRow& row : rows)
    placed.push_back(row.step != nullptr ? of_step(row) : std::move(values[row.from]));
  values = std::move(placed);
}

void place_rows(SweepTable& table, const std::vector<PlacedRow>& rows) {
  for (SweepInput& input : table.inputs) {
    if (!input.texts.empty())
      place(input.texts, rows, [&](const PlacedRow& row) { return input.texts[row.from]; });
    if (input.is_number())
      place(input.numbers, rows, [&](const PlacedRow& row) { return input.numbers[row.from]; });
  }
  const auto of_first = [](const PlacedRow& row, const std::string& text) {
    return row.i == 0 ? text : std::string();
  };
  place(table.keys, rows, [](const PlacedRow& row) {
    const TableRow& of = row.step->rows[row.i];
    return RowKey{row.step->point, row.step->step, of.side, of.contact};
  });
  place(table.outcomes, rows, [](const PlacedRow& row) { return row.step->outcome; });
  place(table.messages, rows,
        [&](const PlacedRow& row) { return of_first(row, row.step->message); });
  place(table.warnings, rows,
        [&](const PlacedRow& row) { return of_first(row, row.step->warnings); });
  place(table.touches_edge, rows, [](const PlacedRow& row) {
    return static_cast<std::uint8_t>(row.step->touches_edge ? 1 : 0);
  });
  place(table.worn, rows, [](const PlacedRow& row) { return row.step->rows[row.i].worn; });
  for (SweepColumn& column : table.columns)
    place(column.values, rows, [&](const PlacedRow& row) {
      const auto& totals = row.step->rows[row.i].totals;
      const auto found = totals.find(column.name);
      return found == totals.end() ? kNone : found->second;
    });
}

// The keys, outcomes and texts of some rows, without totals.
SweepTable picked_rows(const SweepTable& table, const std::vector<std::size_t>& picked) {
  SweepTable rows;
  rows.first_point = table.first_point;
  rows.shape = table.shape;
  const auto pick = [&](const auto& values) {
    std::decay_t<decltype(values)> kept;
    if (values.empty()) return kept;  // numbers of a key that has none
    kept.reserve(picked.size());
    for (const std::size_t row : picked) kept.push_back(values[row]);
    return kept;
  };
  for (const SweepInput& input : table.inputs)
    rows.inputs.push_back({input.key, pick(input.texts), pick(input.numbers), input.spacing});
  rows.keys = pick(table.keys);
  rows.outcomes = pick(table.outcomes);
  rows.messages = pick(table.messages);
  rows.warnings = pick(table.warnings);
  rows.touches_edge = pick(table.touches_edge);
  rows.worn = pick(table.worn);
  return rows;
}

}  // namespace

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
  return find_by_name(columns, name);
}

const SweepInput* SweepTable::find_input(std::string_view key) const {
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const SweepInput& input) { return input.key == key; });
  return found == inputs.end() ? nullptr : &*found;
}

std::vector<std::size_t> SweepTable::steps() const {
  std::vector<std::size_t> firsts;
  for (std::size_t row = 0; row < count(); ++row)
    if (is_first(row)) firsts.push_back(row);
  return firsts;
}

std::size_t SweepTable::end_of_step(std::size_t first) const {
  std::size_t row = first + 1;
  while (row < count() && !is_first(row)) ++row;
  return row;
}

std::size_t SweepTable::row_of(int point) const {
  const auto found = std::partition_point(keys.begin(), keys.end(),
                                          [&](const RowKey& key) { return key.point < point; });
  return static_cast<std::size_t>(found - keys.begin());
}

std::string SweepTable::prefix_of(std::size_t row) const {
  return is_first(row) ? std::string() : keys[row].side + "_";
}

double SweepTable::total(std::size_t first, std::string_view name) const {
  std::size_t row = first;
  if (is_of_side(name)) {
    const std::string_view side = name.substr(0, name.find('_'));
    const std::size_t end = end_of_step(first);
    while (++row < end && (keys[row].side != side || keys[row].contact > 0)) {
    }
    if (row == end) return kNone;
    name.remove_prefix(side.size() + 1);
  }
  const SweepColumn* const column = find(name);
  return column == nullptr ? kNone : column->values[row];
}

std::string SweepTable::describe(std::size_t row) const {
  std::string text;
  for (const SweepInput& input : inputs)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", input.key, input.texts[row]);
  return text;
}

void OutcomeCounts::add(const SweepTable& table) {
  for (const std::size_t row : table.steps())
    ++of.at(static_cast<std::size_t>(table.outcomes[row]));
}

std::size_t OutcomeCounts::points() const {
  return std::accumulate(of.begin(), of.end(), std::size_t{0});
}

SweepTable empty_sweep_block(std::vector<SweepInput> inputs, std::vector<std::size_t> shape,
                             const PointRange& points) {
  SweepTable table;
  table.first_point = points.first;
  table.inputs = std::move(inputs);
  table.shape = std::move(shape);
  const auto count = static_cast<std::size_t>(points.count);
  for (const std::string& name : total_names())
    if (!is_of_side(name)) table.columns.push_back({name, std::vector(count, kNone)});
  for (int number = points.first; number < points.end(); ++number)
    table.keys.push_back({number, 0, {}, 0});
  table.outcomes.assign(count, PointOutcome::not_run);
  table.messages.resize(count);
  table.warnings.resize(count);
  table.touches_edge.resize(count);
  table.worn.resize(count);
  return table;
}

void put_points(SweepTable& table, std::vector<StepRows> points) {
  if (points.empty()) return;
  std::ranges::sort(points, {}, &StepRows::point);
  assert(std::ranges::adjacent_find(points, {}, &StepRows::point) == points.end());
  std::vector<PlacedRow> rows;
  std::size_t row = 0;
  const auto keep_until = [&](std::size_t end) {
    for (; row < end; ++row) rows.push_back({row});
  };
  for (const StepRows& step : points) {
    keep_until(table.row_of(step.point));
    for (std::size_t i = 0; i < step.rows.size(); ++i) rows.push_back({row, &step, i});
    row = table.row_of(step.point + 1);
  }
  keep_until(table.count());
  place_rows(table, rows);
}

StepRows rows_of_point(const SweepTable& table, int number) {
  const std::size_t first = table.row_of(number);
  StepRows rows{number,
                table.keys[first].step,
                table.outcomes[first],
                table.messages[first],
                table.warnings[first],
                table.touches_edge[first] != 0,
                {}};
  for (std::size_t row = first; row < table.row_of(number + 1); ++row) {
    rows.rows.push_back({table.keys[row].side, table.keys[row].contact, {}, table.worn[row]});
    for (const SweepColumn& column : table.columns)
      if (!std::isnan(column.values[row]))
        rows.rows.back().totals[column.name] = column.values[row];
  }
  return rows;
}

const std::vector<std::string>& total_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = wheel_number_names();
    for (const std::string_view side : {"", "left_", "right_"})
      for (const ErrorEntry& entry : error_table())
        all.push_back(std::string(side).append(entry.name));
    return all;
  }();
  return names;
}

bool has_no_number(const SweepColumn& column) {
  return std::all_of(column.values.begin(), column.values.end(),
                     [](double value) { return std::isnan(value); });
}

void drop_empty_columns(SweepTable& table) { std::erase_if(table.columns, has_no_number); }

SweepTable rows_where(const SweepTable& table, const std::function<bool(const RowKey&)>& wanted) {
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < table.count(); ++row)
    if (wanted(table.keys[row])) kept.push_back(row);
  if (kept.size() == table.count()) return table;
  SweepTable rows = picked_rows(table, kept);
  for (const SweepColumn& column : table.columns) {
    std::vector<double> values;
    for (const std::size_t row : kept) values.push_back(column.values[row]);
    rows.columns.push_back({column.name, std::move(values)});
  }
  return rows;
}

SweepTable rows_of(const SweepTable& table, const std::string& side, int contact) {
  RowKey last{0, 0, {}, 0};
  int counted = 0;  // contacts of the step so far
  return rows_where(table, [&](const RowKey& key) {
    const bool first = key.point != last.point || key.step != last.step;
    last = key;
    if (first) counted = 0;
    if (key.contact > 0) ++counted;
    if (side.empty()) return contact == 0 ? first : key.contact > 0 && counted == contact;
    return key.side == side && key.contact == contact;
  });
}

SweepTable one_row_a_step(const SweepTable& table, bool with_contacts) {
  const std::vector<std::size_t> firsts = table.steps();
  SweepTable steps = picked_rows(table, firsts);
  std::map<std::string, std::vector<double>> columns;
  for (const SweepColumn& column : table.columns)
    for (std::size_t i = 0; i < firsts.size(); ++i)
      for (std::size_t row = firsts[i]; row < table.end_of_step(firsts[i]); ++row) {
        if (std::isnan(column.values[row])) continue;
        const int contact = row > firsts[i] ? table.keys[row].contact : 0;
        if (contact > 0 && !with_contacts) continue;
        const bool one_wheel = contact > 0 && table.keys[firsts[i]].side != "both";
        const std::string part = contact > 0 ? fmt::format("contact_{}_", contact) : "";
        const std::string name = (one_wheel ? "" : table.prefix_of(row)) + part + column.name;
        std::vector<double>& values = columns[name];
        values.resize(firsts.size(), kNone);
        values[i] = column.values[row];
      }
  for (const std::string& name : total_names())
    if (auto found = columns.extract(name))
      steps.columns.push_back({name, std::move(found.mapped())});
  if (with_contacts)
    for (auto& [name, values] : columns) steps.columns.push_back({name, std::move(values)});
  return steps;
}

namespace {

PointOutcome point_outcome(Outcome outcome) {
  return outcome == Outcome::converged ? PointOutcome::converged : PointOutcome::not_converged;
}

}  // namespace

StepRows rows_of_step(int number, const StepInput& input, const StepReport& report) {
  return {1,
          number,
          point_outcome(report.outcome),
          report.message,
          {},
          report.touches_edge,
          {{{}, 0, step_numbers(input, report)}}};
}

StepRows rows_of_step(const WheelRecord& record) {
  return {1,
          record.number,
          point_outcome(record.outcome),
          record.message,
          joined_lines(record.warnings),
          record.touches_edge,
          record.rows()};
}

void add_remark(StepRows& step) {
  if (step.outcome != PointOutcome::converged || step.message.empty() ||
      !step.rows.front().side.empty())
    return;
  step.warnings = step.message + (step.warnings.empty() ? "" : "\n" + step.warnings);
}

SweepTable table_of_steps(const std::vector<StepRows>& steps) {
  SweepTable table = empty_sweep_block({}, {steps.size()}, {1, 0});
  std::vector<PlacedRow> rows;
  for (const StepRows& step : steps)
    for (std::size_t i = 0; i < step.rows.size(); ++i) rows.push_back({0, &step, i});
  place_rows(table, rows);
  drop_empty_columns(table);
  std::ranges::fill(table.worn, WornRows{});  // the steps themselves hold them
  return table;
}

}  // namespace slipfield
