// SPDX-License-Identifier: Apache-2.0
#include "io/result/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "io/result/error_attributes.h"
#include "io/result/warnings.h"
#include "io/result/wheel/table.h"

namespace slipfield {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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
  for (const std::string& name : total_names())
    table.columns.push_back({name, std::vector(count, kNone)});
  for (int number = points.first; number < points.end(); ++number)
    table.keys.push_back({number, 0, {}, 0});
  table.outcomes.assign(count, PointOutcome::not_run);
  table.messages.resize(count);
  table.warnings.resize(count);
  table.touches_edge.resize(count);
  return table;
}

void take_point(SweepTable& table, int number, const SweepTable& from) {
  const auto row = static_cast<std::size_t>(number - table.first_point);
  const auto other_row = static_cast<std::size_t>(number - from.first_point);
  table.keys[row] = from.keys[other_row];
  table.outcomes[row] = from.outcomes[other_row];
  table.messages[row] = from.messages[other_row];
  table.warnings[row] = from.warnings[other_row];
  table.touches_edge[row] = from.touches_edge[other_row];
  for (SweepColumn& column : table.columns) {
    const SweepColumn* other = from.find(column.name);
    column.values[row] = other != nullptr ? other->values[other_row] : kNone;
  }
  const std::vector<RowKey>& keys = from.contacts.keys;
  auto key = std::partition_point(keys.begin(), keys.end(),
                                  [&](const RowKey& other) { return other.point < number; });
  for (; key != keys.end() && key->point == number; ++key)
    table.contacts.append(*key, from.contacts.totals(static_cast<std::size_t>(key - keys.begin())));
}

const std::vector<std::string>& total_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = wheel_entry_names();
    for (const PatchEntry& entry : patch_table()) all.emplace_back(entry.name);
    for (std::string& name : quantity_names()) all.push_back(std::move(name));
    for (const ErrorEntry& entry : error_table()) all.emplace_back(entry.name);
    return all;
  }();
  return names;
}

void ContactRows::append(RowKey key, const NamedNumbers& totals) {
  const std::size_t before = keys.size();
  keys.push_back(std::move(key));
  for (const auto& [name, value] : totals) {
    if (std::isnan(value)) continue;
    std::vector<double>& column = columns[name];
    column.resize(before, kNone);
    column.push_back(value);
  }
  for (auto& [name, column] : columns) column.resize(keys.size(), kNone);
}

NamedNumbers ContactRows::totals(std::size_t row) const {
  NamedNumbers numbers;
  for (const auto& [name, column] : columns)
    if (!std::isnan(column[row])) numbers[name] = column[row];
  return numbers;
}

void set_totals(SweepTable& table, std::size_t row, int step, const std::vector<TableRow>& rows) {
  NamedNumbers totals;
  table.keys[row].step = step;
  table.keys[row].side = rows.front().side;
  for (const TableRow& one : rows) {
    if (one.contact > 0) {
      table.contacts.append({table.keys[row].point, step, one.side, one.contact}, one.totals);
      continue;
    }
    const std::string prefix = &one == &rows.front() ? "" : one.side + "_";
    for (const auto& [name, value] : one.totals) totals[prefix + name] = value;
  }
  for (SweepColumn& column : table.columns)
    if (const auto found = totals.find(column.name); found != totals.end())
      column.values[row] = found->second;
}

void drop_empty_columns(SweepTable& table) {
  const auto is_empty = [](const SweepColumn& column) {
    return std::all_of(column.values.begin(), column.values.end(),
                       [](double value) { return std::isnan(value); });
  };
  table.columns.erase(std::remove_if(table.columns.begin(), table.columns.end(), is_empty),
                      table.columns.end());
}

namespace {

// A row of the file: of a table's row that one, its side or its contact.
struct RowSource {
  std::size_t row = 0;
  std::string side;             // empty: the row itself
  std::ptrdiff_t contact = -1;  // in table.contacts; -1: none
};

// Both sides' numbers are in the row.
bool has_sides(const SweepTable& table, std::size_t row) { return table.keys[row].side == "both"; }

std::vector<RowSource> sources_of(const SweepTable& table) {
  std::vector<RowSource> sources;
  std::map<std::pair<int, int>, std::vector<std::size_t>> contacts;  // of a point and step
  for (std::size_t i = 0; i < table.contacts.keys.size(); ++i)
    contacts[{table.contacts.keys[i].point, table.contacts.keys[i].step}].push_back(i);
  for (std::size_t row = 0; row < table.count(); ++row) {
    sources.push_back({row, {}, -1});
    const RowKey& key = table.keys[row];
    const std::vector<std::size_t>& own = contacts[{key.point, key.step}];
    std::vector<std::string> sides = {key.side};
    if (has_sides(table, row)) sides = {"left", "right"};
    for (const std::string& side : sides) {
      if (side != key.side) sources.push_back({row, side, -1});
      for (const std::size_t i : own)
        if (table.contacts.keys[i].side == side)
          sources.push_back({row, side, static_cast<std::ptrdiff_t>(i)});
    }
  }
  return sources;
}

// The rows of the table; without the totals and the contacts.
SweepTable picked_rows(const SweepTable& table, const std::vector<RowSource>& sources) {
  SweepTable rows;
  rows.first_point = table.first_point;
  rows.shape = table.shape;
  for (const SweepInput& input : table.inputs)
    rows.inputs.push_back({input.key, {}, {}, input.spacing});
  for (const RowSource& source : sources) {
    const std::size_t row = source.row;
    const bool whole = source.side.empty();
    for (std::size_t i = 0; i < table.inputs.size(); ++i) {
      if (!table.inputs[i].texts.empty())
        rows.inputs[i].texts.push_back(table.inputs[i].texts[row]);
      if (table.inputs[i].is_number())
        rows.inputs[i].numbers.push_back(table.inputs[i].numbers[row]);
    }
    rows.keys.push_back(table.keys[row]);
    rows.outcomes.push_back(table.outcomes[row]);
    rows.messages.push_back(whole ? table.messages[row] : "");
    rows.warnings.push_back(whole ? table.warnings[row] : "");
    rows.touches_edge.push_back(table.touches_edge[row]);
  }
  return rows;
}

bool is_of_side(std::string_view name) {
  return name.starts_with("left_") || name.starts_with("right_");
}

}  // namespace

SweepTable all_rows(const SweepTable& table) {
  const std::vector<RowSource> sources = sources_of(table);
  SweepTable rows = picked_rows(table, sources);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].contact >= 0)
      rows.keys[i] = table.contacts.keys[static_cast<std::size_t>(sources[i].contact)];
    else if (!sources[i].side.empty())
      rows.keys[i].side = sources[i].side;
  }
  for (const std::string& name : total_names()) {
    if (is_of_side(name)) continue;
    const SweepColumn* const whole = table.find(name);
    const SweepColumn* const left = table.find("left_" + name);
    const SweepColumn* const right = table.find("right_" + name);
    const auto contact = table.contacts.columns.find(name);
    const bool of_contacts = contact != table.contacts.columns.end();
    if (whole == nullptr && left == nullptr && right == nullptr && !of_contacts) continue;
    SweepColumn column{name, std::vector<double>(sources.size(), kNone)};
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const RowSource& source = sources[i];
      if (source.contact >= 0) {
        if (of_contacts)
          column.values[i] = contact->second[static_cast<std::size_t>(source.contact)];
        continue;
      }
      const SweepColumn* const from =
          source.side.empty() ? whole : (source.side == "left" ? left : right);
      if (from != nullptr) column.values[i] = from->values[source.row];
    }
    rows.columns.push_back(std::move(column));
  }
  drop_empty_columns(rows);
  return rows;
}

SweepTable point_rows(const SweepTable& rows) {
  std::vector<RowSource> firsts;
  for (std::size_t i = 0; i < rows.count(); ++i)
    if (i == 0 || rows.keys[i].point != rows.keys[i - 1].point ||
        rows.keys[i].step != rows.keys[i - 1].step)
      firsts.push_back({i, {}, -1});
  SweepTable table = picked_rows(rows, firsts);
  std::vector<std::size_t> row_of(rows.count());
  for (std::size_t i = 0, row = 0; i < rows.count(); ++i) {
    if (row + 1 < firsts.size() && firsts[row + 1].row == i) ++row;
    row_of[i] = row;
    if (rows.keys[i].contact > 0) table.contacts.keys.push_back(rows.keys[i]);
  }
  std::map<std::string, std::vector<double>, std::less<>> columns;
  for (const SweepColumn& column : rows.columns) {
    std::vector<double> of_contacts;
    std::map<std::string, std::vector<double>> of_sides;  // by what their names begin with
    for (std::size_t i = 0; i < rows.count(); ++i) {
      const RowKey& key = rows.keys[i];
      const double value = column.values[i];
      if (key.contact > 0) {
        of_contacts.push_back(value);
      } else if (!std::isnan(value)) {
        std::vector<double>& values = of_sides[firsts[row_of[i]].row == i ? "" : key.side + "_"];
        values.resize(firsts.size(), kNone);
        values[row_of[i]] = value;
      }
    }
    for (auto& [prefix, values] : of_sides) columns[prefix + column.name] = std::move(values);
    if (std::any_of(of_contacts.begin(), of_contacts.end(),
                    [](double value) { return !std::isnan(value); }))
      table.contacts.columns[column.name] = std::move(of_contacts);
  }
  for (const std::string& name : total_names())
    if (const auto found = columns.find(name); found != columns.end())
      table.columns.push_back({name, std::move(found->second)});
  return table;
}

SweepTable rows_where(const SweepTable& rows, const std::function<bool(const RowKey&)>& wanted) {
  std::vector<RowSource> kept;
  for (std::size_t i = 0; i < rows.count(); ++i)
    if (wanted(rows.keys[i])) kept.push_back({i, {}, -1});
  if (kept.size() == rows.count()) return rows;
  SweepTable table = picked_rows(rows, kept);
  for (const SweepColumn& column : rows.columns) {
    std::vector<double> values;
    for (const RowSource& source : kept) values.push_back(column.values[source.row]);
    table.columns.push_back({column.name, std::move(values)});
  }
  return table;
}

SweepTable rows_of(const SweepTable& rows, const std::string& side, int contact) {
  RowKey last{0, 0, {}, 0};
  int counted = 0;  // contacts of the step so far
  return rows_where(rows, [&](const RowKey& key) {
    const bool first = key.point != last.point || key.step != last.step;
    last = key;
    if (first) counted = 0;
    if (key.contact > 0) ++counted;
    if (side.empty()) return contact == 0 ? first : key.contact > 0 && counted == contact;
    return key.side == side && key.contact == contact;
  });
}

StepRows rows_of_step(int number, const StepInput& input, const StepReport& report) {
  return {number, report.outcome,      report.message,
          {},     report.touches_edge, {{{}, 0, step_numbers(input, report)}}};
}

StepRows rows_of_step(const WheelRecord& record) {
  return {record.number,       record.outcome, record.message, joined_lines(record.warnings),
          record.touches_edge, record.rows()};
}

SweepTable table_of_steps(const std::vector<StepRows>& steps) {
  SweepTable table = empty_sweep_block({}, {steps.size()}, {1, static_cast<int>(steps.size())});
  for (std::size_t row = 0; row < steps.size(); ++row) {
    const StepRows& step = steps[row];
    table.keys[row].point = 1;
    table.outcomes[row] =
        step.outcome == Outcome::converged ? PointOutcome::converged : PointOutcome::not_converged;
    table.messages[row] = step.message;
    table.warnings[row] = step.warnings;
    table.touches_edge[row] = step.touches_edge ? 1 : 0;
    set_totals(table, row, step.step, step.rows);
  }
  drop_empty_columns(table);
  return table;
}

}  // namespace slipfield
