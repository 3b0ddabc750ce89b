// SPDX-License-Identifier: Apache-2.0
#include "app/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/report/shown_table.h"
#include "app/report/step_table.h"
#include "io/result/warnings.h"

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

double shown_total(const SweepTable& table, const std::string& name, std::size_t row) {
  if (needs_friction(name) && table.total(row, "friction_coefficient") == 0.0) return std::nan("");
  constexpr std::string_view kRatio = "force_ratio_";
  const double value = table.total(row, name);
  if (name.starts_with(kRatio) && !std::isnan(value) &&
      shown_total(table, "force_" + name.substr(kRatio.size()), row) == 0.0)
    return 0.0;
  return without_noise(name, value,
                       [&](std::string_view other) { return table.total(row, other); });
}

void SweepSurvey::add(const SweepTable& table) {
  const SweepTable rows = one_row_a_step(table);
  counts_.add(rows);
  if (keys_.empty())
    for (const SweepInput& input : rows.inputs) keys_.push_back(input.key);
  widths_.resize(rows.inputs.size(), 0);
  for (std::size_t i = 0; i < rows.inputs.size(); ++i)
    widths_[i] = std::max(widths_[i], width_of(rows.inputs[i]));
  for (const SweepColumn& column : rows.columns) with_numbers_.insert(column.name);
  for (const char* name : {"shift_x", "shift_y", "creepage_x", "creepage_y"}) {
    const SweepColumn* column = rows.find(name);
    if (column == nullptr) continue;
    Motion& motion = motions_[name];
    motion.set_by.resize(rows.inputs.size(), true);
    for (const double value : column->values) {
      motion.least = std::min(motion.least, value);
      motion.greatest = std::max(motion.greatest, value);
    }
    for (std::size_t i = 0; i < rows.inputs.size(); ++i)
      motion.set_by[i] = motion.set_by[i] && rows.inputs[i].numbers == column->values;
  }
}

bool SweepSurvey::has(std::string_view total) const { return with_numbers_.contains(total); }

std::vector<std::string> SweepSurvey::motions() const {
  std::vector<std::string> names;
  for (const auto& [name, motion] : motions_) {
    const bool set =
        std::find(motion.set_by.begin(), motion.set_by.end(), true) != motion.set_by.end();
    if (motion.least < motion.greatest && !set) names.push_back(name);
  }
  return names;
}

std::vector<std::string> wheel_totals(bool both_wheels, bool place_only) {
  if (!place_only) {
    if (!both_wheels)
      return {"track_force_x", "track_force_y", "track_force_z", "contact_count", "rolling_radius"};
    return {"left_track_force_x",  "left_track_force_y",  "left_track_force_z",
            "right_track_force_x", "right_track_force_y", "right_track_force_z"};
  }
  if (!both_wheels)
    return {"rolling_radius", "rolling_radius_difference", "nearest_y", "nearest_angle", "axle_z"};
  return {"rolling_radius_difference", "left_nearest_y",      "right_nearest_y",
          "left_nearest_angle",        "right_nearest_angle", "axle_roll"};
}

void SweepLines::add_keys(const SweepSurvey& survey) {
  columns_.push_back({"point", "", 6, 0});
  for (std::size_t i = 0; i < survey.keys().size(); ++i)
    columns_.push_back({survey.keys()[i], "", 2 + survey.widths()[i], 0});
}

void SweepLines::add_total(const std::string& name, const std::string& head, int rank,
                           Units units) {
  const bool counts = name.starts_with("elements_");
  totals_.push_back(name);
  columns_.push_back({head,
                      counts ? "elements" : std::string(unit_text(quantity_dimension(name), units)),
                      1 + std::max(kTotalWidth, head.size()), rank});
}

SweepLines::SweepLines(const SweepTable& table, Units units, const std::vector<std::string>& found,
                       int width, const std::vector<std::string>& totals) {
  SweepSurvey survey;
  survey.add(table);
  add_keys(survey);
  int rank = 0;  // the last ones are left out first
  for (const std::string& name : totals) add_total(name, name, rank++, units);
  if (totals.empty())
    for (const ShownTotal& total : kShown) {
      add_total(std::string(total.name), std::string(total.head), total.rank, units);
      if (total.name != "force_y") continue;
      for (const std::string& name : found) add_total(name, name, 1, units);
    }
  shown_ = columns_that_fit(columns_, kOutcomeWidth, width);
}

SweepLines::SweepLines(const SweepSurvey& survey, Units units, int width) {
  add_keys(survey);
  for (const ShownTotal& total : kShown) {
    if (survey.has(total.name))
      add_total(std::string(total.name), std::string(total.head), total.rank, units);
    if (total.name != "force_y") continue;
    for (const std::string& name : survey.motions()) add_total(name, name, 1, units);
  }
  int rank = 0;
  if (totals_.empty())
    for (const std::string& name :
         wheel_totals(survey.has("left_nearest_y"), !survey.has("track_force_z")))
      if (survey.has(name)) add_total(name, name, rank++, units);
  shown_ = columns_that_fit(columns_, kOutcomeWidth, width);
}

std::vector<std::string> SweepLines::head() const { return table_head(columns_, shown_); }

std::string SweepLines::row(const SweepTable& table, std::size_t first) const {
  std::vector<std::string> cells = {fmt::format("{}", table.keys[first].point)};
  for (const SweepInput& input : table.inputs) cells.push_back(cell_text(input, first));
  for (const std::string& name : totals_) {
    const double value = shown_total(table, name, first);
    cells.push_back(std::isnan(value) ? "-" : fmt::format("{:.5g}", value));
  }
  std::string line;
  for (const std::size_t i : shown_) line += fmt::format("{:>{}}", cells[i], columns_[i].width);
  return line + fmt::format("  {}", point_outcome_name(table.outcomes[first]));
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
