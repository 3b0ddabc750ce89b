// SPDX-License-Identifier: Apache-2.0
#include "app/report/step_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/console.h"
#include "app/report/interior_report.h"
#include "app/report/totals_table.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/field_table.h"
#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"
#include "io/result/sweep_table.h"
#include "io/result/warnings.h"
#include "solver/wheel_rail/placement.h"

namespace slipfield {

bool is_frictionless(const StepInput& input, const StepReport& report) {
  return input.tangential.problem == TangentialProblem::none ||
         (report.friction_coefficient == 0.0 && report.shear_strength == 0.0);
}

namespace {

std::string sensitivity_row(std::string_view name, const std::vector<std::string>& cells) {
  std::string line = fmt::format("      {:<12}", name);
  for (const std::string& cell : cells) line += fmt::format(" {:>15}", cell);
  return line;
}

}  // namespace

std::vector<std::string> sensitivity_table(const StepInput& input, const StepReport& report) {
  const auto& rigid = report.sensitivities;
  const auto& approach = report.approach_sensitivities;
  if (!rigid && !approach) return {};
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  std::vector<std::string> head;
  if (rigid && is_rolling(input.tangential.problem)) head = {"creepage_x", "creepage_y", "spin"};
  if (rigid && !is_rolling(input.tangential.problem)) head = {"shift_x", "shift_y", "rotation"};
  std::vector<std::string> normal(head.size());
  if (approach) {
    head.emplace_back("approach");
    normal.push_back(number((*approach)[0]));
  }
  std::vector<std::string> lines = {sensitivity_row("d/d", head)};
  if (approach) lines.push_back(sensitivity_row("normal_force", normal));
  if (!rigid) return lines;
  std::size_t row = 0;
  for (const char* name : {"force_x", "force_y", "moment_z"}) {
    std::vector<std::string> cells;
    for (std::size_t k = 0; k < 3; ++k) cells.push_back(number((*rigid)[3 * row + k]));
    ++row;
    if (approach) cells.push_back(number((*approach)[row]));
    lines.push_back(sensitivity_row(name, cells));
  }
  return lines;
}

std::vector<std::string> error_lines(Units units, const StepInput& input,
                                     const StepReport& report) {
  constexpr double kNoise =
      1.0e-10;  // of F_n: what rounding leaves of a force that is 0 by symmetry
  std::string line;
  for (const ErrorEntry& entry : error_table()) {
    double value = error_of(entry, input, report);
    if (std::isnan(value) || entry.times_slip_rate) continue;  // that of the work says it
    if (entry.dimension == Dimension::force && value < kNoise * report.normal_force) value = 0.0;
    const std::string_view unit = unit_text(entry.dimension, units);
    line += fmt::format("{}{} {:.6g}{}", line.empty() ? "      estimated errors: " : ", ",
                        entry.quantity, to_two_digits(value),
                        unit == "-" ? "" : " " + std::string(unit));
  }
  return line.empty() ? std::vector<std::string>() : std::vector{line};
}

std::vector<std::string> surface_lines(Units units, const StepReport& report) {
  std::string line;
  for (const std::string_view name : {"worn_area", "max_wear_depth", "rcf_damage",
                                      "max_temperature", "shakedown_reserve", "contact_area"}) {
    const SurfaceNumberEntry* entry = find_surface_number(name);
    const double value = entry != nullptr ? surface_number(*entry, report) : std::nan("");
    if (std::isnan(value)) continue;
    const std::string_view unit = unit_text(entry->dimension, units);
    line += fmt::format("{}{} {:.5g}{}", line.empty() ? "      " : ", ", name, value,
                        unit == "-" ? "" : " " + std::string(unit));
  }
  return line.empty() ? std::vector<std::string>() : std::vector{line};
}

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

nlohmann::ordered_json step_json(int number, const StepInput& input, const StepReport& report,
                                 const std::vector<std::string>& warnings) {
  nlohmann::ordered_json step;
  step["step"] = number;
  step["problem"] = problem_name(input.tangential.problem);
  step["outcome"] = outcome_name(report.outcome);
  step["message"] = report.message;
  step["warnings"] = warnings;
  step["touches_edge"] = report.touches_edge;
  for (const QuantityEntry& entry : quantity_table()) {
    if (!entry.applies(input.tangential.problem)) continue;
    const std::string name(entry.name);
    std::visit([&](auto member) { step[name] = report.*member; }, entry.value);
  }
  if (slip_rate(input) > 0.0)
    step[std::string(kFrictionPowerName)] = quantity(report, input, kFrictionPowerName);
  for (const ErrorEntry& entry : error_table())
    if (const double value = error_of(entry, input, report); !std::isnan(value))
      step[std::string(entry.name)] = value;
  if (report.sensitivities) {
    const auto& s = *report.sensitivities;
    step[std::string(kSensitivitiesName)] = {
        {s[0], s[1], s[2]}, {s[3], s[4], s[5]}, {s[6], s[7], s[8]}};
  }
  if (report.approach_sensitivities)
    step[std::string(kApproachSensitivitiesName)] = *report.approach_sensitivities;
  for (const SurfaceNumberEntry& entry : surface_number_table())
    if (const double value = surface_number(entry, report); !std::isnan(value))
      step[std::string(entry.name)] = value;
  if (!report.interior.empty()) step["interior"] = interior_json(report.interior);
  return step;
}

void print_json(const nlohmann::ordered_json& document) {
  using Json = nlohmann::ordered_json;
  print_line(document.dump(2, ' ', false, Json::error_handler_t::replace));  // NaN, inf: null
}

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

namespace {

std::string profile_line(const std::string& what, const ProfileSource& source) {
  const Profile& profile = *source.profile;
  const auto by_y = [](const ProfilePoint& a, const ProfilePoint& b) { return a.y < b.y; };
  const auto [least, greatest] =
      std::minmax_element(profile.points.begin(), profile.points.end(), by_y);
  std::string text = fmt::format("{}: {} points, y from {:.4g} to {:.4g} mm, {:.4g} mm long", what,
                                 profile.points.size(), least->y, greatest->y,
                                 profile.curve.last() - profile.curve.first());
  for (const std::string& note : profile.notes) text += "; " + note;
  return text;
}

}  // namespace

nlohmann::ordered_json wheel_json(const WheelRecord& record, const std::string& side) {
  const std::vector<TableRow> rows = record.rows();
  const auto is_shown = [&](const TableRow& row) { return side.empty() || row.side == side; };
  if (std::ranges::none_of(rows, is_shown)) return nullptr;
  nlohmann::ordered_json document;
  document["step"] = record.number;
  document["outcome"] = outcome_name(record.outcome);
  if (!record.message.empty()) document["message"] = record.message;
  document["warnings"] = record.warnings;
  NamedNumbers totals = record.totals();
  if (!side.empty()) {
    document["side"] = side;
    for (const TableRow& row : rows)
      if (row.contact == 0 && is_shown(row)) totals = row.totals;
  }
  for (const std::string& name : total_names())
    if (const auto found = totals.find(name); found != totals.end()) document[name] = found->second;
  document["contacts"] = nlohmann::ordered_json::array();
  for (const TableRow& row : rows) {
    if (row.contact == 0 || !is_shown(row)) continue;
    nlohmann::ordered_json entry;
    entry["side"] = row.side;
    entry["contact"] = row.contact;
    for (const auto& [name, value] : row.totals) entry[name] = value;
    document["contacts"].push_back(std::move(entry));
  }
  return document;
}

std::vector<std::string> profiles_text(const WheelRailCase& wheel_rail) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& what, const SideProfiles& profiles) {
    if (!profiles.differ) return lines.push_back(profile_line(what, profiles.right));
    lines.push_back(profile_line("left " + what, profiles.left));
    lines.push_back(profile_line("right " + what, profiles.right));
  };
  add("wheel", wheel_rail.wheel);
  add("rail", wheel_rail.rail);
  const WheelRailPosition& at = wheel_rail.steps.front().wheels.back().position;
  if (at.track.rail_origin) return lines;
  const PlacedRail rail = place_rail(*wheel_rail.rail.of(at.side).at(at.wheelset.x), at.track);
  lines.push_back(fmt::format("gauge: measured at y = {:.4g} mm of the rail's profile{}",
                              rail.gauge_point,
                              at.track.cant == 0.0 ? "" : ", turned by the cant"));
  return lines;
}

}  // namespace slipfield
