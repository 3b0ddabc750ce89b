// SPDX-License-Identifier: Apache-2.0
#include "app/report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "app/report/step_table.h"
#include "io/case/of_result.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kListedPoints = 20;
// Places of one profile alone.
constexpr std::string_view kOtherWearRows = "wear_profile in another number of rows";

// "2 points: 3 7".
std::string points_list(const std::vector<std::size_t>& points, const std::string& row) {
  std::string text = counted(points.size(), row) + ":";
  for (std::size_t i = 0; i < std::min(kListedPoints, points.size()); ++i)
    text += fmt::format(" {}", points[i]);
  return points.size() > kListedPoints ? text + " ..." : text;
}

// The first row of a point; nothing if the table, of a shard, has no such point.
std::optional<std::size_t> row_in(const SweepTable& table, int point) {
  const std::size_t row = table.row_of(point);
  if (row < table.count() && table.keys[row].point == point) return row;
  return std::nullopt;
}

std::size_t points_of_one(const SweepTable& table, const SweepTable& other) {
  return static_cast<std::size_t>(std::ranges::count_if(
      table.steps(), [&](std::size_t row) { return !row_in(other, table.keys[row].point); }));
}

void require_same_inputs(const AnyResult& first, const AnyResult& second,
                         const std::string& first_name, const std::string& second_name) {
  if (first.info.header.units != second.info.header.units)
    throw InputError(
        fmt::format("{} and {} are in different units; accepted: two sweeps in the "
                    "same units",
                    first_name, second_name));
  // Shards are compared by the points that both have, whose numbers are those of the whole.
  const auto same_texts = [&](const SweepInput& x, const SweepInput& y) {
    return std::ranges::all_of(first.rows.steps(), [&](std::size_t row) {
      const auto other = row_in(second.rows, first.rows.keys[row].point);
      return !other || x.texts[row] == y.texts[*other];
    });
  };
  const auto& a = first.rows.inputs;
  const auto& b = second.rows.inputs;
  const bool same = std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [&](const SweepInput& x, const SweepInput& y) { return x.key == y.key && same_texts(x, y); });
  if (!same)
    throw InputError(
        fmt::format("{} and {} sweep over different values; accepted: two sweeps with "
                    "the same keys and values",
                    first_name, second_name));
}

// A row's place in both tables: point, side and contact.
using Place = std::tuple<int, std::string, int>;
Place place_of(const SweepTable& table, std::size_t row) {
  const RowKey& key = table.keys[row];
  return {key.point, table.is_first(row) ? std::string() : key.side, key.contact};
}

// Rows to compare with each other, and how their totals are named.
struct RowGroup {
  std::string prefix;
  bool of_contacts = false;
  std::vector<std::pair<std::size_t, std::size_t>> rows;  // in both tables
};

bool is_of_contact(const SweepTable& table, std::size_t row) {
  return !table.is_first(row) && table.keys[row].contact > 0;
}

RowGroup& group_of(std::vector<RowGroup>& groups, const SweepTable& table, std::size_t row) {
  const bool of_contacts = is_of_contact(table, row);
  const std::string prefix = of_contacts ? "contacts: " : table.prefix_of(row);
  for (RowGroup& group : groups)
    if (group.prefix == prefix) return group;
  return groups.emplace_back(RowGroup{prefix, of_contacts, {}});
}

// The rows of points that both have run. A row in only one file means a different ending.
std::vector<RowGroup> rows_in_both(const SweepTable& a, const SweepTable& b,
                                   const std::set<int>& both, SweepDifference& result) {
  std::set<std::size_t> unequal(result.unequal.begin(), result.unequal.end());
  std::map<Place, std::size_t> others;
  for (std::size_t row = 0; row < b.count(); ++row)
    if (both.contains(b.keys[row].point)) others[place_of(b, row)] = row;
  std::vector<RowGroup> groups;
  for (std::size_t row = 0; row < a.count(); ++row) {
    if (!both.contains(a.keys[row].point)) continue;
    const auto found = others.find(place_of(a, row));
    if (found != others.end()) {
      group_of(groups, a, row).rows.emplace_back(row, found->second);
      others.erase(found);
    } else if (a.keys[row].contact > 0) {
      unequal.insert(static_cast<std::size_t>(a.keys[row].point));
    }
  }
  for (const auto& [place, row] : others)
    if (b.keys[row].contact > 0) unequal.insert(static_cast<std::size_t>(b.keys[row].point));
  result.unequal.assign(unequal.begin(), unequal.end());
  std::stable_sort(groups.begin(), groups.end(), [](const RowGroup& x, const RowGroup& y) {
    return x.of_contacts < y.of_contacts;
  });
  return groups;
}

// The scales of a total: the greatest of its kin in the rows of its point, among contacts or among
// all others.
class ScaleOfTotal {
 public:
  ScaleOfTotal(const SweepTable& table, const SweepTable& other, const std::string& name,
               bool of_contacts)
      : table_(table), other_(other), name_(name), of_contacts_(of_contacts) {
    for (const SweepColumn& kin : table.columns)
      if (judges(kin.name, name)) kin_.push_back(&kin);
  }

  [[nodiscard]] double of_kin(std::size_t row) const {
    const auto in_point = [&](std::size_t each) {
      return table_.keys[each].point == table_.keys[row].point;
    };
    std::size_t first = row;
    while (first > 0 && in_point(first - 1)) --first;
    double scale = 0.0;
    for (std::size_t each = first; each < table_.count() && in_point(each); ++each) {
      if (is_of_contact(table_, each) != of_contacts_) continue;
      for (const SweepColumn* kin : kin_)
        if (!std::isnan(kin->values[each])) scale = std::max(scale, std::fabs(kin->values[each]));
    }
    return scale;
  }
  [[nodiscard]] double natural(std::size_t row, std::size_t other_row) const {
    const double scale = natural(table_, row);
    return scale == 0.0 ? natural(other_, other_row) : scale;  // only that one may have slipped
  }

 private:
  [[nodiscard]] double natural(const SweepTable& table, std::size_t row) const {
    return natural_size(name_, [&](std::string_view name) {
      const SweepColumn* const column = table.find(name);
      return column == nullptr ? std::nan("") : column->values[row];
    });
  }

  const SweepTable& table_;
  const SweepTable& other_;
  const std::string& name_;
  bool of_contacts_;
  std::vector<const SweepColumn*> kin_;
};

void compare_totals(const SweepTable& a, const SweepTable& b, const RowGroup& group,
                    SweepDifference& result) {
  const RowKey first = group.rows.empty() ? RowKey() : a.keys[group.rows.front().first];
  const bool of_wheel = !first.side.empty() && first.contact == 0;
  for (const SweepColumn& column : a.columns) {
    const SweepColumn* other = b.find(column.name);
    if (other == nullptr || !is_compared(column.name)) continue;
    if (!result.one_grid && is_of_grid(column.name, result.steady)) continue;
    // Totals combined from contacts differ with these, and are counted there.
    if (of_wheel && find_wheel_entry(column.name) == nullptr) continue;
    const auto is_there = [&](const std::pair<std::size_t, std::size_t>& rows) {
      return !std::isnan(column.values[rows.first]) || !std::isnan(other->values[rows.second]);
    };
    if (std::none_of(group.rows.begin(), group.rows.end(), is_there)) continue;
    const ScaleOfTotal scale(a, b, column.name, group.of_contacts);
    ColumnDifference difference{group.prefix + column.name, 0.0, 1};
    for (const auto& [row, other_row] : group.rows) {
      const double one = column.values[row];
      const double two = other->values[other_row];
      if (one == two) continue;
      const double of_kin = scale.of_kin(row);
      if (distance_of_totals(one, two, of_kin) <= difference.of_kin) continue;
      const double distance =
          distance_of_totals(one, two, std::max(of_kin, scale.natural(row, other_row)));
      if (distance <= difference.of_kin) continue;
      difference.of_kin = distance;
      difference.point = static_cast<std::size_t>(a.keys[row].point);
    }
    result.columns.push_back(difference);
  }
}

bool has_wear_profiles(const SweepTable& table) {
  return std::ranges::any_of(table.worn, [](const WornRows& rows) { return !rows.depth.empty(); });
}

// The wear profiles that a sweep of wheels has in its table, as one column.
void compare_worn(const SweepTable& a, const SweepTable& b, const RowGroup& group,
                  SweepDifference& result) {
  if (!group.of_contacts || !has_wear_profiles(a) || !has_wear_profiles(b)) return;
  ColumnDifference difference{group.prefix + std::string(kWearProfileName), 0.0, 1};
  bool is_there = false;
  for (const auto& [row, other_row] : group.rows) {
    const std::vector<double>& one = a.worn[row].depth;
    const std::vector<double>& other = b.worn[other_row].depth;
    if (one.empty() && other.empty()) continue;
    if (!one.empty() && !other.empty() && one.size() != other.size()) {  // of other grids
      if (std::ranges::find(result.of_one, kOtherWearRows) == result.of_one.end())
        result.of_one.emplace_back(kOtherWearRows);
      continue;
    }
    is_there = true;
    double distance = std::numeric_limits<double>::infinity();
    if (one.size() == other.size()) {
      const double scale = *std::ranges::max_element(one);
      distance = 0.0;
      for (std::size_t i = 0; i < one.size(); ++i)
        distance = std::max(distance, distance_of_totals(one[i], other[i], scale));
    }
    if (distance <= difference.of_kin) continue;
    difference.of_kin = distance;
    difference.point = static_cast<std::size_t>(a.keys[row].point);
  }
  if (is_there) result.columns.push_back(difference);
}

}  // namespace

bool SweepDifference::agrees(double tolerance) const {
  const auto within = [tolerance](const ColumnDifference& column) {
    return column.of_kin <= tolerance;  // false for NaN
  };
  return unequal.empty() && divided.empty() && std::ranges::all_of(columns, within) &&
         std::ranges::all_of(fields, within);
}

bool SweepDifference::equal(double tolerance) const {
  return agrees(tolerance) && not_run.first == not_run.second;
}

SweepDifference compare_sweeps(const AnyResult& first, const AnyResult& second,
                               const std::string& first_name, const std::string& second_name) {
  require_same_inputs(first, second, first_name, second_name);
  const SweepTable& a = first.rows;
  const SweepTable& b = second.rows;
  SweepDifference result;
  result.one_grid = have_one_grid(first.info.header, second.info.header);
  result.steady = rolls_steadily(first.info.header);
  std::set<int> both;
  for (const std::size_t row : a.steps()) {
    const int point = a.keys[row].point;
    const auto found = row_in(b, point);
    if (!found) continue;
    const std::size_t other = *found;
    const auto number = static_cast<std::size_t>(point);
    const bool ran_first = a.outcomes[row] != PointOutcome::not_run;
    const bool ran_second = b.outcomes[other] != PointOutcome::not_run;
    if (!ran_first) result.not_run.first.push_back(number);
    if (!ran_second) result.not_run.second.push_back(number);
    if (!ran_first || !ran_second) continue;
    both.insert(point);
    if (a.outcomes[row] != b.outcomes[other])
      result.unequal.push_back(number);
    else if (a.outcomes[row] != PointOutcome::converged)
      result.not_converged.push_back(number);
  }
  result.not_run.both_ran = both.size();
  if (both.empty())
    throw InputError(
        fmt::format("{} and {} have no point that both have run", first_name, second_name));
  for (const RowGroup& group : rows_in_both(a, b, both, result)) {
    compare_totals(a, b, group, result);
    compare_worn(a, b, group, result);
  }
  if (const std::size_t points = points_of_one(a, b) + points_of_one(b, a); points > 0)
    result.of_one.push_back(counted(points, "point"));
  if (has_wear_profiles(a) != has_wear_profiles(b)) result.of_one.emplace_back(kWearProfileName);
  for (const auto& [table, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const SweepColumn& column : table->columns)
      if (is_compared(column.name) && !has_no_number(column) &&
          (result.one_grid || !is_of_grid(column.name, result.steady)) &&
          (other->find(column.name) == nullptr || has_no_number(*other->find(column.name))))
        result.of_one.push_back(column.name);
  return result;
}

std::vector<std::string> not_run_lines(const NotRun& not_run) {
  std::vector<std::string> lines;
  if (!not_run.first.empty())
    lines.push_back("  not run in a: " + points_list(not_run.first, not_run.row));
  if (!not_run.second.empty())
    lines.push_back("  not run in b: " + points_list(not_run.second, not_run.row));
  return lines;
}

std::vector<std::string> difference_table(const SweepDifference& difference, double tolerance) {
  const std::string& row = difference.not_run.row;
  std::vector<std::string> lines = {
      fmt::format("  {:<34} {:>16} {:>9}  within", "total", "of its kin", "at " + row)};
  if (!difference.one_grid)
    lines.insert(
        lines.begin(),
        "  of other grids: totals without counts of elements and without the work of steady steps");
  for (const ColumnDifference& column : difference.columns)
    lines.push_back(fmt::format("  {:<34} {:>16.3e} {:>9}  {}", column.name, column.of_kin,
                                column.point, column.of_kin <= tolerance ? "yes" : "NO"));
  if (!difference.fields.empty())
    lines.push_back(
        fmt::format("  {:<34} {:>16} {:>9}  within", "field", "of its kin", "at " + row));
  for (const ColumnDifference& field : difference.fields)
    lines.push_back(fmt::format("  {:<34} {:>16.3e} {:>9}  {}", field.name, field.of_kin,
                                field.point, field.of_kin <= tolerance ? "yes" : "NO"));
  if (!difference.divided.empty())
    lines.push_back("  elements whose division differs: in " +
                    points_list(difference.divided, row));
  if (!difference.other_grids.empty())
    lines.push_back("  of other grids, and fields not compared: " +
                    points_list(difference.other_grids, row));
  if (!difference.of_one.empty())
    lines.push_back(fmt::format("  of one file alone, and not compared: {}",
                                fmt::join(difference.of_one, ", ")));
  if (!difference.unequal.empty())
    lines.push_back("  ended otherwise in the other file: " + points_list(difference.unequal, row));
  if (!difference.not_converged.empty())
    lines.push_back("  not converged in either file: " +
                    points_list(difference.not_converged, row));
  for (std::string& line : not_run_lines(difference.not_run)) lines.push_back(std::move(line));
  return lines;
}

std::string verdict(bool agrees, const NotRun& not_run, double tolerance) {
  std::string text = fmt::format("{} within {:g}", agrees ? "equal" : "DIFFERENT", tolerance);
  if (!not_run.first.empty() || !not_run.second.empty())
    text += fmt::format(", compared at {} that both files have run",
                        counted(not_run.both_ran, not_run.row));
  return text;
}

nlohmann::ordered_json not_run_json(const NotRun& not_run) {
  return {{"a", not_run.first}, {"b", not_run.second}};
}

nlohmann::ordered_json difference_json(const SweepDifference& difference, double tolerance) {
  const std::string& row = difference.not_run.row;
  nlohmann::ordered_json document;
  for (const ColumnDifference& column : difference.columns)
    document["totals"][column.name] = {{"of_kin", column.of_kin}, {row, column.point}};
  for (const ColumnDifference& field : difference.fields)
    document["fields"][field.name] = {{"of_kin", field.of_kin}, {row, field.point}};
  if (!difference.of_one.empty()) document["of_one"] = difference.of_one;
  document["one_grid"] = difference.one_grid;
  document[row + "s_divided_otherwise"] = difference.divided;
  document[row + "s_of_other_grids"] = difference.other_grids;
  document[row + "s_ended_otherwise"] = difference.unequal;
  document[row + "s_not_converged"] = difference.not_converged;
  document[row + "s_not_run"] = not_run_json(difference.not_run);
  document["tolerance"] = tolerance;
  document["equal"] = difference.equal(tolerance);
  return document;
}

}  // namespace slipfield
