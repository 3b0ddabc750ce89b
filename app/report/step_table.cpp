// SPDX-License-Identifier: Apache-2.0
#include "app/report/step_table.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/console.h"
#include "app/report/interior_report.h"
#include "app/report/totals_table.h"
#include "io/result/error_attributes.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"

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
  step["number"] = number;
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

}  // namespace slipfield
