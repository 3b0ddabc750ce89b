// SPDX-License-Identifier: Apache-2.0
#include "app/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/step_table.h"
#include "io/result/warnings.h"

namespace slipfield {
namespace {

// Converts a number or a list of numbers; anything else stays text.
nlohmann::ordered_json input_json(const std::string& text) {
  auto value = nlohmann::ordered_json::parse(text, nullptr, false);
  const bool list =
      value.is_array() &&
      std::all_of(value.begin(), value.end(), [](const auto& item) { return item.is_number(); });
  return list || value.is_number() ? value : nlohmann::ordered_json(text);
}

}  // namespace

std::string sweep_summary(const OutcomeCounts& counts) {
  std::string text = counted(counts.points(), "point") + ":";
  std::string separator = " ";
  for (const PointOutcome outcome : {PointOutcome::converged, PointOutcome::not_converged,
                                     PointOutcome::failed, PointOutcome::not_run}) {
    const std::size_t count = counts.count(outcome);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", separator, count, point_outcome_name(outcome));
    separator = ", ";
  }
  return text;
}

namespace {

nlohmann::ordered_json contact_json(const SweepTable& table, std::size_t row) {
  nlohmann::ordered_json contact = {{"side", table.keys[row].side},
                                    {"contact", table.keys[row].contact}};
  for (const SweepColumn& column : table.columns)
    if (!std::isnan(column.values[row])) contact[column.name] = column.values[row];
  return contact;
}

}  // namespace

nlohmann::ordered_json sweep_json(const SweepTable& table, Units units) {
  nlohmann::ordered_json document;
  OutcomeCounts counts;
  counts.add(table);
  for (const PointOutcome outcome : {PointOutcome::converged, PointOutcome::not_converged,
                                     PointOutcome::failed, PointOutcome::not_run})
    document["outcomes"][std::string(point_outcome_name(outcome))] = counts.count(outcome);
  const SweepTable points = one_row_a_step(table);
  for (const SweepColumn& column : points.columns)
    document["quantity_units"][column.name] = unit_text(quantity_dimension(column.name), units);
  document["keys"] = nlohmann::ordered_json::array();
  for (const SweepInput& input : points.inputs) document["keys"].push_back(input.key);
  document["shape"] = points.shape;
  document["points"] = nlohmann::ordered_json::array();
  std::size_t row = 0;  // of the table
  for (std::size_t point = 0; point < points.count(); ++point) {
    nlohmann::ordered_json entry;
    entry["point"] = points.keys[point].point;
    for (const SweepInput& input : points.inputs) {
      if (input.is_number())
        entry["inputs"][input.key] = input.numbers[point];
      else
        entry["inputs"][input.key] = input_json(input.texts[point]);
    }
    entry["outcome"] = point_outcome_name(points.outcomes[point]);
    entry["message"] = points.messages[point];
    entry["warnings"] = split_lines(points.warnings[point]);
    for (const SweepColumn& column : points.columns) entry[column.name] = column.values[point];
    const std::size_t end = table.end_of_step(row);
    while (++row < end)
      if (table.keys[row].contact > 0) entry["contacts"].push_back(contact_json(table, row));
    document["points"].push_back(std::move(entry));
  }
  return document;
}

}  // namespace slipfield
