// SPDX-License-Identifier: Apache-2.0
#include "app/report/step_table.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/console.h"
#include "app/report/interior_report.h"
#include "io/result/error_attributes.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"

namespace slipfield {

namespace {

// Named as in the table of quantities, whichever problem it belongs to.
double value_of(std::string_view name, const StepReport& report) {
  for (const QuantityEntry& entry : quantity_table())
    if (entry.name == name) return entry.get(report);
  return 0.0;
}

std::string number_cell(std::string_view name, const StepReport& report) {
  const auto value = [&](std::string_view other) { return value_of(other, report); };
  return fmt::format("{:.5g}", without_noise(name, value(name), value));
}

}  // namespace

double shown_value(const QuantityEntry& entry, const StepReport& report) {
  return without_noise(entry.name, entry.get(report),
                       [&](std::string_view other) { return value_of(other, report); });
}

bool is_frictionless(const StepInput& input, const StepReport& report) {
  return input.tangential.problem == TangentialProblem::none ||
         (report.friction_coefficient == 0.0 && input.friction.shear_strength == 0.0);
}

bool needs_friction(std::string_view total) {
  return total == "elements_adhesion" || total == "elements_slip";
}

StepTable::StepTable(Units units, std::vector<std::string> found, int width)
    : found_(std::move(found)) {
  const auto unit = [units](Dimension dimension) {
    return std::string(unit_text(dimension, units));
  };
  columns_ = {{"step", "", 5, 0},
              {"F_n", unit(Dimension::force), 12, 0},
              {"approach", unit(Dimension::length), 12, 5},
              {"p_max", unit(Dimension::traction), 12, 2},
              {"F_x", unit(Dimension::force), 12, 0},
              {"F_y", unit(Dimension::force), 12, 0}};
  for (const std::string& name : found_)
    columns_.push_back({name, unit(quantity_dimension(name)), 12, 1});
  for (const auto& [name, rank] : {std::pair{"contact", 3}, {"adhesion", 6}, {"slip", 4}})
    columns_.push_back({name, "elements", 10, rank});
  columns_.push_back({"iterations n/t/o", "", 18, 8});
  columns_.push_back({"time", unit(Dimension::time), 10, 7});
  shown_ = columns_that_fit(columns_, kOutcomeWidth, width);
}

std::vector<std::string> StepTable::head() const { return table_head(columns_, shown_); }

std::string StepTable::row(int number, const StepInput& input, const StepReport& report) const {
  std::vector<std::string> cells = {fmt::format("{}", number)};
  for (const char* name : {"normal_force", "approach", "max_pressure", "force_x", "force_y"})
    cells.push_back(number_cell(name, report));
  const bool rolls = is_rolling(input.tangential.problem);
  for (const std::string& name : found_)
    cells.push_back(rolls == name.starts_with("creepage") ? number_cell(name, report) : "-");
  const bool sticks = !is_frictionless(input, report);
  cells.push_back(fmt::format("{}", report.elements_contact));
  cells.push_back(sticks ? fmt::format("{}", report.elements_adhesion) : "-");
  cells.push_back(sticks ? fmt::format("{}", report.elements_slip) : "-");
  cells.push_back(fmt::format("{}/{}/{}", report.iterations_normal, report.iterations_tangential,
                              report.iterations_outer));
  cells.push_back(fmt::format("{:.3g}", report.seconds));
  std::string line;
  for (const std::size_t i : shown_) line += fmt::format("{:>{}}", cells[i], columns_[i].width);
  return line + fmt::format("  {}{}", outcome_name(report.outcome),
                            report.touches_edge ? ", touches the grid's edge" : "");
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

namespace {

// 504.3 as 500.
double to_two_digits(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  return unit * std::round(value / unit);
}

}  // namespace

std::vector<ShownNumber> shown_numbers(const StepInput& input, const StepReport& report,
                                       Units units) {
  std::vector<ShownNumber> numbers;
  const auto add = [&](std::string_view name, double value, Dimension dimension,
                       std::string description) {
    numbers.push_back({std::string(name), value, std::string(unit_text(dimension, units)),
                       std::move(description)});
  };
  const bool sticks = !is_frictionless(input, report);
  const auto is_told = [&](const QuantityEntry& entry) {
    // Most steps do not use the solvers and materials that these numbers belong to.
    const bool rare = entry.only_positive || entry.name == "matrix_products_coarse";
    return entry.applies(input.tangential.problem) && (sticks || !needs_friction(entry.name)) &&
           (!rare || shown_value(entry, report) != 0.0);
  };
  for (const QuantityEntry& entry : quantity_table())
    if (is_told(entry))
      add(entry.name, shown_value(entry, report), entry.dimension, std::string(entry.description));
  for (const ErrorEntry& entry : error_table())
    if (has_error(entry, report))
      add(entry.name, to_two_digits((*report.error).*(entry.value)), entry.dimension,
          fmt::format("estimated error of {}, by the element size", entry.quantity));
  if (report.error && slip_rate(input) > 0.0)
    add(kPowerErrorName, to_two_digits(report.error->friction_work * slip_rate(input)),
        Dimension::power, "estimated error of friction_power");
  for (const SurfaceNumberEntry& entry : surface_number_table())
    if (const auto& value = report.surface.*(entry.value))
      add(entry.name, *value, entry.dimension, std::string(entry.description));
  return numbers;
}

std::string error_line(Units units, const StepReport& report) {
  std::string line;
  for (const ErrorEntry& entry : error_table()) {
    if (!has_error(entry, report)) continue;
    const std::string_view unit = unit_text(entry.dimension, units);
    line += fmt::format("{}{} {:.6g}{}", line.empty() ? "      estimated errors: " : ", ",
                        entry.quantity, to_two_digits((*report.error).*(entry.value)),
                        unit == "-" ? "" : " " + std::string(unit));
  }
  return line;
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
    if (has_error(entry, report)) step[std::string(entry.name)] = (*report.error).*(entry.value);
  if (report.error && slip_rate(input) > 0.0)
    step[std::string(kPowerErrorName)] = report.error->friction_work * slip_rate(input);
  if (report.sensitivities) {
    const auto& s = *report.sensitivities;
    step[std::string(kSensitivitiesName)] = {
        {s[0], s[1], s[2]}, {s[3], s[4], s[5]}, {s[6], s[7], s[8]}};
  }
  if (report.approach_sensitivities)
    step[std::string(kApproachSensitivitiesName)] = *report.approach_sensitivities;
  for (const char* name : {"force_ratio_x", "force_ratio_y"})
    step[name] = quantity(report, input, name);
  for (const SurfaceNumberEntry& entry : surface_number_table())
    if (const auto& value = report.surface.*(entry.value)) step[std::string(entry.name)] = *value;
  if (!report.interior.empty()) step["interior"] = interior_json(report.interior);
  return step;
}

void print_json(const nlohmann::ordered_json& document) {
  using Json = nlohmann::ordered_json;
  print_line(document.dump(2, ' ', false, Json::error_handler_t::replace));  // NaN, inf: null
}

}  // namespace slipfield
