// SPDX-License-Identifier: Apache-2.0
#include "app/report/compare_sweeps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "app/report/step_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kListedPoints = 20;

// What describes the way to a result, not the result.
constexpr std::array<std::string_view, 10> kNotCompared = {
    "iterations_normal", "iterations_tangential",  "iterations_outer",
    "matrix_products",   "matrix_products_coarse", "residual",
    "seconds",           "wheel_seconds",          "heights_solved",
    "complete_solutions"};

// Of one wheel of a wheelset, too.
bool is_compared(std::string_view name) {
  for (const std::string_view side : {"left_", "right_"})
    if (name.starts_with(side)) name.remove_prefix(side.size());
  return std::find(kNotCompared.begin(), kNotCompared.end(), name) == kNotCompared.end();
}

// |a - b| over the scale: 0 where both are missing or the same, infinite where one is missing.
double distance_of(double a, double b, double scale) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
  const double distance = std::fabs(a - b) / scale;
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

bool same_kin(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto is_ratio = [](const std::string& name) { return name.starts_with("force_ratio_"); };
  if (is_ratio(a) || is_ratio(b)) return is_ratio(a) && is_ratio(b);
  // A moment that is 0 by symmetry is as good as the energies say.
  const auto unit_of = [](const std::string& name) {
    const Dimension dimension = quantity_dimension(name);
    return dimension == Dimension::moment ? Dimension::energy : dimension;
  };
  return unit_of(a) != Dimension::none && unit_of(a) == unit_of(b);
}

double greatest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values)
    if (!std::isnan(value)) result = std::max(result, std::fabs(value));
  return result;
}

// "2 points: 3 7".
std::string points_list(const std::vector<std::size_t>& points, const std::string& row) {
  std::string text = counted(points.size(), row) + ":";
  for (std::size_t i = 0; i < std::min(kListedPoints, points.size()); ++i)
    text += fmt::format(" {}", points[i]);
  return points.size() > kListedPoints ? text + " ..." : text;
}

void require_same_inputs(const SweepFile& first, const SweepFile& second,
                         const std::string& first_name, const std::string& second_name) {
  if (first.info.header.units != second.info.header.units)
    throw InputError(
        fmt::format("{} and {} are in different units; accepted: two sweeps in the "
                    "same units",
                    first_name, second_name));
  const auto& a = first.table.inputs;
  const auto& b = second.table.inputs;
  const bool same = std::equal(a.begin(), a.end(), b.begin(), b.end(),
                               [](const SweepInput& x, const SweepInput& y) {
                                 return x.key == y.key && x.texts == y.texts;
                               });
  if (!same)
    throw InputError(
        fmt::format("{} and {} sweep over different values; accepted: two sweeps with "
                    "the same keys and values",
                    first_name, second_name));
}

// The contacts that both have run; one that only one file has is a point that ended otherwise.
void compare_contacts(const SweepTable& a, const SweepTable& b, SweepDifference& result) {
  using Place = std::tuple<int, int, std::string, int>;
  const auto place = [](const RowKey& key) {
    return Place{key.point, key.step, key.side, key.contact};
  };
  std::map<Place, std::size_t> others;
  for (std::size_t i = 0; i < b.contacts.keys.size(); ++i) others[place(b.contacts.keys[i])] = i;
  const auto not_run = [&](int point) {
    for (const auto& missing : {result.not_run_first, result.not_run_second})
      if (std::binary_search(missing.begin(), missing.end(), static_cast<std::size_t>(point)))
        return true;
    return false;
  };
  std::set<std::size_t> unequal(result.unequal.begin(), result.unequal.end());
  std::vector<std::pair<std::size_t, std::size_t>> both;
  for (std::size_t i = 0; i < a.contacts.keys.size(); ++i) {
    const RowKey& key = a.contacts.keys[i];
    const auto found = others.find(place(key));
    if (found != others.end()) {
      both.emplace_back(i, found->second);
      others.erase(found);
    } else if (!not_run(key.point)) {
      unequal.insert(static_cast<std::size_t>(key.point));
    }
  }
  for (const auto& [key, index] : others)
    if (!not_run(std::get<0>(key))) unequal.insert(static_cast<std::size_t>(std::get<0>(key)));
  result.unequal.assign(unequal.begin(), unequal.end());
  for (const auto& [name, values] : a.contacts.columns) {
    const auto other = b.contacts.columns.find(name);
    if (other == b.contacts.columns.end() || !is_compared(name)) continue;
    double scale = 0.0;
    for (const auto& [kin, numbers] : a.contacts.columns)
      if (same_kin(name, kin)) scale = std::max(scale, greatest(numbers));
    ColumnDifference difference{"contacts: " + name, 0.0, 1};
    for (const auto& [i, k] : both) {
      const double distance = distance_of(values[i], other->second[k], scale);
      if (distance <= difference.of_kin) continue;
      difference.of_kin = distance;
      difference.point = static_cast<std::size_t>(a.contacts.keys[i].point);
    }
    result.columns.push_back(difference);
  }
}

}  // namespace

bool SweepDifference::agrees(double tolerance) const {
  return unequal.empty() &&
         std::all_of(columns.begin(), columns.end(), [tolerance](const ColumnDifference& column) {
           return column.of_kin <= tolerance;  // false for NaN
         });
}

bool SweepDifference::equal(double tolerance) const {
  return agrees(tolerance) && not_run_first == not_run_second;
}

SweepDifference compare_sweeps(const SweepFile& first, const SweepFile& second,
                               const std::string& first_name, const std::string& second_name) {
  require_same_inputs(first, second, first_name, second_name);
  const SweepTable& a = first.table;
  const SweepTable& b = second.table;
  SweepDifference result;
  std::vector<std::size_t> both;  // rows
  for (std::size_t point = 0; point < a.count(); ++point) {
    const auto number = static_cast<std::size_t>(a.number_of(point));
    const bool ran_first = a.outcomes[point] != PointOutcome::not_run;
    const bool ran_second = b.outcomes[point] != PointOutcome::not_run;
    if (!ran_first) result.not_run_first.push_back(number);
    if (!ran_second) result.not_run_second.push_back(number);
    if (!ran_first || !ran_second) continue;
    both.push_back(point);
    if (a.outcomes[point] != b.outcomes[point])
      result.unequal.push_back(number);
    else if (a.outcomes[point] != PointOutcome::converged)
      result.not_converged.push_back(number);
  }
  result.both_ran = both.size();
  if (both.empty())
    throw InputError(
        fmt::format("{} and {} have no point that both have run", first_name, second_name));
  for (const SweepColumn& column : a.columns) {
    const SweepColumn* other = b.find(column.name);
    if (other == nullptr || !is_compared(column.name)) continue;
    double scale = 0.0;
    for (const SweepColumn& kin : a.columns)
      if (same_kin(column.name, kin.name)) scale = std::max(scale, greatest(kin.values));
    ColumnDifference difference{column.name, 0.0, 1};
    for (const std::size_t point : both) {
      const double distance = distance_of(column.values[point], other->values[point], scale);
      if (distance <= difference.of_kin) continue;
      difference.of_kin = distance;
      difference.point = static_cast<std::size_t>(a.number_of(point));
    }
    result.columns.push_back(difference);
  }
  compare_contacts(a, b, result);
  return result;
}

std::vector<std::string> difference_table(const SweepDifference& difference, double tolerance) {
  std::vector<std::string> lines = {
      fmt::format("  {:<34} {:>16} {:>9}  within", "total", "of its kin", "at " + difference.row)};
  for (const ColumnDifference& column : difference.columns)
    lines.push_back(fmt::format("  {:<34} {:>16.3e} {:>9}  {}", column.name, column.of_kin,
                                column.point, column.of_kin <= tolerance ? "yes" : "NO"));
  if (!difference.unequal.empty())
    lines.push_back("  ended otherwise in the other file: " +
                    points_list(difference.unequal, difference.row));
  if (!difference.not_converged.empty())
    lines.push_back("  not converged in either file: " +
                    points_list(difference.not_converged, difference.row));
  if (!difference.not_run_first.empty())
    lines.push_back("  not run in a: " + points_list(difference.not_run_first, difference.row));
  if (!difference.not_run_second.empty())
    lines.push_back("  not run in b: " + points_list(difference.not_run_second, difference.row));
  return lines;
}

std::string verdict(const SweepDifference& difference, double tolerance) {
  std::string text = fmt::format("{} within {:g}",
                                 difference.agrees(tolerance) ? "equal" : "DIFFERENT", tolerance);
  if (!difference.not_run_first.empty() || !difference.not_run_second.empty())
    text += fmt::format(", compared at {} that both files have run",
                        counted(difference.both_ran, difference.row));
  return text;
}

nlohmann::ordered_json difference_json(const SweepDifference& difference, double tolerance) {
  nlohmann::ordered_json document;
  for (const ColumnDifference& column : difference.columns)
    document["totals"][column.name] = {{"of_kin", column.of_kin}, {difference.row, column.point}};
  document["points_ended_otherwise"] = difference.unequal;
  document["points_not_converged"] = difference.not_converged;
  document["points_not_run"] = {{"a", difference.not_run_first}, {"b", difference.not_run_second}};
  document["tolerance"] = tolerance;
  document["equal"] = difference.equal(tolerance);
  return document;
}

}  // namespace slipfield
