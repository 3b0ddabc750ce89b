// SPDX-License-Identifier: Apache-2.0
#include "app/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/shown_table.h"
#include "app/report/step_table.h"

namespace slipfield {
namespace {

constexpr std::size_t kNarrowest = 10;  // of the values of a key
constexpr std::size_t kWidest = 30;
constexpr std::size_t kTotalWidth = 12;

struct ShownTotal {
  std::string_view name;
  std::string_view head;
  int rank;  // the greatest is left out first
};
constexpr std::array kShown = {
    ShownTotal{"normal_force", "F_n", 5},
    ShownTotal{"approach", "approach", 7},
    ShownTotal{"max_pressure", "p_max", 4},
    ShownTotal{"force_x", "F_x", 0},
    ShownTotal{"force_y", "F_y", 0},
    ShownTotal{"moment_z", "M_z", 6},
    ShownTotal{"elements_contact", "contact", 3},
    ShownTotal{"elements_slip", "slip", 2},
};

std::string cell_text(const SweepInput& input, std::size_t point) {
  const std::string text = value_text(input, point);
  return input.is_number() || text.size() <= kWidest ? text : text.substr(0, kWidest - 3) + "...";
}

// A number, or a list of numbers, is that; the rest is its text.
nlohmann::ordered_json input_json(const std::string& text) {
  auto value = nlohmann::ordered_json::parse(text, nullptr, false);
  const bool list =
      value.is_array() &&
      std::all_of(value.begin(), value.end(), [](const auto& item) { return item.is_number(); });
  return list || value.is_number() ? value : nlohmann::ordered_json(text);
}

std::size_t width_of(const SweepInput& input) {
  std::size_t width = std::max(kNarrowest, input.key.size());
  for (std::size_t point = 0; point < input.texts.size(); ++point)
    width = std::max(width, cell_text(input, point).size());
  return width;
}

}  // namespace

std::string value_text(const SweepInput& input, std::size_t point) {
  return input.is_number() ? fmt::format("{:.6g}", input.numbers[point]) : input.texts[point];
}

SweepLines::SweepLines(const SweepTable& table, Units units, const std::vector<std::string>& found,
                       int width) {
  columns_.push_back({"point", "", 6, 0});
  for (const SweepInput& input : table.inputs)
    columns_.push_back({input.key, "", 2 + width_of(input), 0});
  const auto add = [&](const std::string& name, const std::string& head, int rank) {
    const Dimension dimension = quantity_dimension(name);
    const bool counts = name.starts_with("elements_");
    totals_.push_back(name);
    columns_.push_back({head, counts ? "elements" : std::string(unit_text(dimension, units)),
                        1 + std::max(kTotalWidth, head.size()), rank});
  };
  for (const ShownTotal& total : kShown) {
    add(std::string(total.name), std::string(total.head), total.rank);
    if (total.name != "force_y") continue;
    for (const std::string& name : found) add(name, name, 1);
  }
  shown_ = columns_that_fit(columns_, kOutcomeWidth, width);
}

std::vector<std::string> SweepLines::head() const { return table_head(columns_, shown_); }

std::string SweepLines::row(const SweepTable& table, std::size_t point) const {
  std::vector<std::string> cells = {fmt::format("{}", table.number_of(point))};
  for (const SweepInput& input : table.inputs) cells.push_back(cell_text(input, point));
  const auto value_of = [&](std::string_view name) {
    const SweepColumn* column = table.find(name);
    return column == nullptr ? std::nan("") : column->values[point];
  };
  for (const std::string& name : totals_) {
    const double value = value_of(name);
    cells.push_back(
        std::isnan(value) ? "-" : fmt::format("{:.5g}", without_noise(name, value, value_of)));
  }
  std::string line;
  for (const std::size_t i : shown_) line += fmt::format("{:>{}}", cells[i], columns_[i].width);
  return line + fmt::format("  {}", point_outcome_name(table.outcomes[point]));
}

std::string sweep_summary(const SweepTable& table) {
  OutcomeCounts counts;
  counts.add(table);
  return sweep_summary(counts);
}

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

nlohmann::ordered_json sweep_json(const SweepTable& table) {
  nlohmann::ordered_json document;
  document["keys"] = nlohmann::ordered_json::array();
  for (const SweepInput& input : table.inputs) document["keys"].push_back(input.key);
  document["shape"] = table.shape;
  document["points"] = nlohmann::ordered_json::array();
  for (std::size_t point = 0; point < table.count(); ++point) {
    nlohmann::ordered_json entry;
    entry["point"] = table.number_of(point);
    for (const SweepInput& input : table.inputs) {
      if (input.is_number())
        entry["inputs"][input.key] = input.numbers[point];
      else
        entry["inputs"][input.key] = input_json(input.texts[point]);
    }
    entry["outcome"] = point_outcome_name(table.outcomes[point]);
    entry["message"] = table.messages[point];
    for (const SweepColumn& column : table.columns) entry[column.name] = column.values[point];
    document["points"].push_back(std::move(entry));
  }
  return document;
}

}  // namespace slipfield
