// SPDX-License-Identifier: Apache-2.0
// The parts of wheels and sweeps that their tables do not show: the fields of contacts and points,
// and the steps of a point before its last.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/report/compare.h"
#include "app/report/step_table.h"

namespace slipfield {
namespace {

constexpr const char* kOfContacts = "contacts: ";
constexpr const char* kOtherSteps = "steps of a point";

bool is_in_table(const std::string& name) {
  static const std::set<std::string> names(total_names().begin(), total_names().end());
  return names.contains(name);
}

template <typename T>
void add_once(std::vector<T>& values, const T& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

// Keeps the greatest difference under each name. NaN counts as the greatest.
void keep_greatest(std::vector<ColumnDifference>& columns, const ColumnDifference& one) {
  const auto found = std::ranges::find(columns, one.name, &ColumnDifference::name);
  if (found == columns.end())
    columns.push_back(one);
  else if (!std::isnan(found->of_kin) && !(one.of_kin <= found->of_kin))
    *found = one;
}

// `number`: of the point or step; in_table: the table has the totals of this step.
void add_step(const StepDifference& step, std::size_t number, const std::string& prefix,
              bool in_table, SweepDifference& result) {
  for (const FieldDifference& field : step.fields)
    keep_greatest(result.fields, {prefix + field.name, field.of_kin, number});
  for (const TotalDifference& total : step.totals)
    if (!in_table || !is_in_table(total.name))
      keep_greatest(result.columns, {prefix + total.name, total.of_kin, number});
  for (const std::string& name : step.of_one) add_once(result.of_one, name);
  if (!step.differing.empty()) add_once(result.divided, number);
  if (!step.one_grid) add_once(result.other_grids, number);
  if (!step.ended_alike || !step.problems.empty()) add_once(result.unequal, number);
}

std::map<int, int> contacts_of_steps(const SweepTable& rows) {
  std::map<int, int> contacts;
  for (const RowKey& key : rows.keys) contacts[key.step] += key.contact > 0 ? 1 : 0;
  return contacts;
}

std::set<int> numbers_of_steps(const SweepTable& rows) {
  std::set<int> numbers;
  for (const RowKey& key : rows.keys) numbers.insert(key.step);
  return numbers;
}

// All contacts that both have, in the steps of both tables.
void add_contacts(const TableOfFile& first, const TableOfFile& second, const SweepTable& a,
                  const SweepTable& b, SweepDifference& result) {
  std::map<int, int> others = contacts_of_steps(b);
  for (const auto& [step, count] : contacts_of_steps(a)) {
    const auto number =
        static_cast<std::size_t>(first.any->kind == ResultKind::sweep ? first.point : step);
    for (int contact = 1; contact <= std::min(count, others[step]); ++contact) {
      const auto open = [&](const TableOfFile& file) {
        return ResultFile(file.path, {.point = file.point, .step = step, .contact = contact});
      };
      const ResultFile one = open(first);
      const ResultFile other = open(second);
      add_step(
          compare_steps(step_result(one, one.step(step)), step_result(other, other.step(step))),
          number, kOfContacts, true, result);
    }
  }
}

// A point of a sweep. The table has its step `last`.
void add_point(const TableOfFile& first, const TableOfFile& second, int last,
               SweepDifference& result) {
  const auto number = static_cast<std::size_t>(first.point);
  const ResultKind kind = kind_of(first.path, first.point);
  if (kind != kind_of(second.path, second.point)) return add_once(result.unequal, number);
  if (kind == ResultKind::wheel) {
    const SweepTable a = rows_of(read_steps(first.path, first.point)).rows;
    const SweepTable b = rows_of(read_steps(second.path, second.point)).rows;
    add_contacts(first, second, a, b, result);
    const std::set<int> of_a = numbers_of_steps(a);
    const std::set<int> of_b = numbers_of_steps(b);
    const auto before = [&](const SweepTable& table) {
      AnyResult steps{kind,
                      first.any->info,
                      rows_where(table,
                                 [&](const RowKey& key) {
                                   return key.step != last && of_a.contains(key.step) &&
                                          of_b.contains(key.step);
                                 }),
                      {}};
      for (RowKey& key : steps.rows.keys) key.point = key.step;
      return steps;
    };
    if (of_a != of_b) add_once(result.of_one, std::string(kOtherSteps));
    const AnyResult steps = before(a);
    if (steps.rows.count() == 0) return;
    const SweepDifference earlier = compare_sweeps(steps, before(b), first.path, second.path);
    for (ColumnDifference column : earlier.columns) {
      column.point = number;
      keep_greatest(result.columns, column);
    }
    for (const std::string& name : earlier.of_one) add_once(result.of_one, name);
    if (!earlier.unequal.empty()) add_once(result.unequal, number);
    return;
  }
  const ResultFile one(first.path, {.point = first.point});
  const ResultFile other(second.path, {.point = second.point});
  std::size_t in_both = 0;
  for (const ResultStep& step : one.steps()) {
    const auto found = std::ranges::find(other.steps(), step.number, &ResultStep::number);
    if (found == other.steps().end()) continue;
    ++in_both;
    add_step(compare_steps(step_result(one, step), step_result(other, *found)), number, "",
             step.number == last, result);
  }
  if (in_both < one.steps().size() || in_both < other.steps().size())
    add_once(result.of_one, std::string(kOtherSteps));
}

}  // namespace

void compare_parts(const TableOfFile& first, const TableOfFile& second, SweepDifference& result) {
  const SweepTable& rows = first.any->rows;
  if (first.any->kind != ResultKind::sweep)
    return add_contacts(first, second, rows, second.any->rows, result);
  const std::set<int> theirs(second.any->with_fields.begin(), second.any->with_fields.end());
  std::set<int> chosen;  // the rows may be those of one point
  for (const RowKey& key : rows.keys) chosen.insert(key.point);
  std::size_t of_one = 0;
  for (const int point : theirs)
    if (chosen.contains(point) &&
        std::ranges::find(first.any->with_fields, point) == first.any->with_fields.end())
      ++of_one;
  for (const int point : first.any->with_fields) {
    if (!chosen.contains(point)) continue;
    if (!theirs.contains(point)) {
      ++of_one;
      continue;
    }
    const TableOfFile a{first.path, point, first.any};
    const TableOfFile b{second.path, point, second.any};
    add_point(a, b, rows.keys[rows.row_of(point)].step, result);
  }
  if (of_one > 0) result.of_one.push_back(fmt::format("fields of {}", counted(of_one, "point")));
}

}  // namespace slipfield
