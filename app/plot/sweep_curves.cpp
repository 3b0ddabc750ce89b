// SPDX-License-Identifier: Apache-2.0
#include "app/plot/sweep_curves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "app/report/sweep_report.h"
#include "io/yaml/number.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// Whether the key takes several values while `over` has one.
bool is_parameter(const SweepInput& input, const SweepInput* over) {
  std::unordered_map<std::string, std::string> value_at;
  for (std::size_t point = 0; point < input.texts.size(); ++point) {
    const std::string at = over == nullptr ? std::to_string(point) : over->texts[point];
    if (value_at.emplace(at, input.texts[point]).first->second != input.texts[point]) return true;
  }
  return false;
}

const SweepInput& key_of(const SweepTable& table, const std::string& name, std::string_view key) {
  if (const SweepInput* input = table.find_input(key)) return *input;
  std::vector<std::string_view> keys;
  for (const SweepInput& input : table.inputs) keys.emplace_back(input.key);
  throw InputError(
      fmt::format("{}: the sweep has no key \"{}\"; {}", name, key, accepted_words(key, keys)));
}

bool has_value(const SweepInput& input, std::size_t point, const std::string& value) {
  if (input.texts[point] == value) return true;
  const auto number = input.is_number() ? parse_number(value).value : std::nullopt;
  return number && std::fabs(input.numbers[point] - *number) <= 1.0e-6 * std::fabs(*number);
}

template <typename T>
void keep(std::vector<T>& values, const std::vector<std::size_t>& points) {
  if (values.empty()) return;
  std::vector<T> kept;
  for (const std::size_t point : points) kept.push_back(values[point]);
  values = std::move(kept);
}

SweepTable with_points(SweepTable table, const std::vector<std::size_t>& points) {
  for (SweepInput& input : table.inputs) keep(input.texts, points), keep(input.numbers, points);
  for (SweepColumn& column : table.columns) keep(column.values, points);
  keep(table.keys, points);
  keep(table.outcomes, points);
  keep(table.messages, points);
  keep(table.warnings, points);
  keep(table.touches_edge, points);
  table.shape = {points.size()};
  return table;
}

template <typename T>
void append(std::vector<T>& values, const std::vector<T>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

// The key whose values have line styles; nullptr: none.
const SweepInput* styled_of(const std::vector<const SweepInput*>& parameters) {
  const SweepInput* fewest = nullptr;
  std::size_t values = kLineStyles + 1;
  for (const SweepInput* input : parameters) {
    if (input->key == kFileKey) return input;
    const std::size_t count = shown_values(*input).size();
    if (count >= values) continue;
    fewest = input;
    values = count;
  }
  return parameters.size() > 1 ? fewest : nullptr;
}

}  // namespace

std::vector<std::string> shown_values(const SweepInput& input) {
  std::vector<std::string> values;
  std::unordered_set<std::string> known;
  for (std::size_t point = 0; point < input.texts.size(); ++point) {
    std::string value = value_text(input, point);
    if (known.insert(value).second) values.push_back(std::move(value));
  }
  return values;
}

const SweepInput* axis_of(const SweepTable& table, const std::string& name,
                          const std::string& over) {
  if (over.empty()) {
    const SweepInput* longest = nullptr;
    for (const SweepInput& input : table.inputs)
      if (input.is_number() &&
          (longest == nullptr || shown_values(input).size() > shown_values(*longest).size()))
        longest = &input;
    return longest;
  }
  const SweepInput& input = key_of(table, name, over);
  if (!input.is_number())
    throw InputError(fmt::format("{}: the values of \"{}\" are not numbers", name, over));
  return &input;
}

SweepTable points_with(const SweepTable& table, const std::string& name,
                       const std::vector<std::string>& conditions) {
  SweepTable kept = table;
  for (const std::string& condition : conditions) {
    const std::size_t equals = std::min(condition.find('='), condition.size() - 1);
    const SweepInput& input = key_of(kept, name, std::string_view(condition).substr(0, equals));
    std::vector<std::size_t> points;
    for (std::size_t point = 0; point < kept.count(); ++point)
      if (has_value(input, point, condition.substr(equals + 1))) points.push_back(point);
    if (points.size() < kept.count()) kept = with_points(std::move(kept), points);
  }
  return kept;
}

SweepTable points_where(const SweepTable& table, const std::string& name,
                        const std::vector<std::string>& conditions) {
  SweepTable kept = table;
  for (const std::string& condition : conditions) {
    SweepTable left = points_with(kept, name, {condition});
    if (left.count() == 0) {
      const std::size_t equals = std::min(condition.find('='), condition.size() - 1);
      const SweepInput& input = key_of(kept, name, std::string_view(condition).substr(0, equals));
      throw InputError(fmt::format("{}: no point has {} = {}; accepted: {}", name, input.key,
                                   condition.substr(equals + 1),
                                   fmt::join(shown_values(input), ", ")));
    }
    kept = std::move(left);
  }
  return kept;
}

void append_rows(SweepTable& table, const SweepTable& more) {
  const std::size_t before = table.count();
  for (SweepInput& input : table.inputs) {
    const SweepInput& other = *more.find_input(input.key);
    append(input.texts, other.texts);
    if (!input.is_number() || !other.is_number())
      input.numbers.clear();
    else
      append(input.numbers, other.numbers);
  }
  append(table.keys, more.keys);
  append(table.outcomes, more.outcomes);
  append(table.messages, more.messages);
  append(table.warnings, more.warnings);
  append(table.touches_edge, more.touches_edge);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const SweepColumn& column : more.columns)
    if (table.find(column.name) == nullptr)
      table.columns.push_back({column.name, std::vector<double>(before, kNone)});
  for (SweepColumn& column : table.columns) {
    if (const SweepColumn* other = more.find(column.name))
      append(column.values, other->values);
    else
      column.values.resize(table.count(), kNone);
  }
}

const SweepInput* panel_key(const SweepTable& table, const std::string& name,
                            const std::string& key, const SweepInput* over, std::size_t most) {
  const SweepInput& input = key_of(table, name, key);
  if (&input == over)
    throw InputError(fmt::format(
        "{}: \"{}\" is the key of the horizontal axis; accepted: another key, or --over key", name,
        key));
  const std::size_t count = shown_values(input).size();
  if (count > most)
    throw InputError(
        fmt::format("{}: \"{}\" has {} values; accepted: a key with at most {}, or "
                    "--where for a part of them",
                    name, key, count, most));
  return &input;
}

const SweepInput* facet_of(const SweepTable& table, const SweepInput* over, std::size_t most) {
  const SweepInput* fewest = nullptr;
  std::size_t parameters = 0;
  for (const SweepInput& input : table.inputs) {
    if (&input == over || input.key == kFileKey || !is_parameter(input, over)) continue;
    ++parameters;
    if (fewest == nullptr || shown_values(input).size() < shown_values(*fewest).size())
      fewest = &input;
  }
  const bool useful = parameters > 1 && shown_values(*fewest).size() <= most;
  return useful ? fewest : nullptr;
}

SweepCurves curves_of(const SweepTable& table, const SweepInput* over) {
  SweepCurves result;
  std::vector<const SweepInput*> parameters;
  for (const SweepInput& input : table.inputs) {
    if (&input == over || !is_parameter(input, over)) continue;
    parameters.push_back(&input);
    result.keys.push_back(input.key);
  }
  const SweepInput* styled = styled_of(parameters);
  std::map<std::string, std::size_t> curve_of;
  std::map<std::string, std::size_t> colour_of;
  std::map<std::string, std::size_t> dashes_of;
  for (std::size_t point = 0; point < table.count(); ++point) {
    std::string label;
    std::string coloured;
    for (const SweepInput* input : parameters) {
      const std::string value = value_text(*input, point);
      label += (label.empty() ? "" : ", ") + value;
      if (input != styled || parameters.size() == 1) coloured += value + "\n";
    }
    const auto [found, is_new] = curve_of.emplace(label, result.curves.size());
    if (is_new) {
      const std::size_t colour = colour_of.emplace(coloured, colour_of.size()).first->second;
      const std::size_t dashes =
          styled == nullptr
              ? 0
              : dashes_of.emplace(value_text(*styled, point), dashes_of.size()).first->second;
      result.curves.push_back({label, {}, colour, dashes % kLineStyles});
    }
    result.curves[found->second].points.push_back(point);
  }
  for (SweepCurve& curve : result.curves)
    std::stable_sort(curve.points.begin(), curve.points.end(), [&](std::size_t a, std::size_t b) {
      return over == nullptr ? a < b : over->numbers[a] < over->numbers[b];
    });
  return result;
}

}  // namespace slipfield
