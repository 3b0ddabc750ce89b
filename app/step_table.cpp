#include "app/step_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/console.h"
#include "io/field_table.h"

namespace slipfield {

std::vector<std::string> step_table_head(Units units) {
  constexpr const char* kFormat =
      "{:>5} {:>12} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9} {:>9} {:>17} {:>9}  {}";
  const auto unit = [units](Dimension dimension) { return unit_text(dimension, units); };
  std::vector<std::string> lines = {
      fmt::format(kFormat, "step", "F_n", "approach", "p_max", "F_x", "F_y", "contact", "adhesion",
                  "slip", "iterations n/t/o", "time", "outcome"),
      fmt::format(kFormat, "", unit(Dimension::force), unit(Dimension::length),
                  unit(Dimension::traction), unit(Dimension::force), unit(Dimension::force),
                  "elements", "elements", "elements", "", unit(Dimension::time), "")};
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

std::string step_table_row(int number, const StepReport& report) {
  const std::string iterations = fmt::format("{}/{}/{}", report.iterations_normal,
                                             report.iterations_tangential, report.iterations_outer);
  return fmt::format(
      "{:>5} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>9} {:>9} {:>9} {:>17} {:>9.3g}  "
      "{}{}",
      number, report.normal_force, report.approach, report.max_pressure, report.force_x,
      report.force_y, report.elements_contact, report.elements_adhesion, report.elements_slip,
      iterations, report.seconds, outcome_name(report.outcome),
      report.touches_edge ? ", touches the grid's edge" : "");
}

std::vector<std::string> sensitivity_table(const StepInput& input, const StepReport& report) {
  if (!report.sensitivities) return {};
  const bool rolling = is_rolling(input.tangential.problem);
  constexpr const char* kFormat = "      {:<12} {:>15} {:>15} {:>15}";
  std::vector<std::string> lines = {
      rolling ? fmt::format(kFormat, "d/d", "creepage_x", "creepage_y", "spin")
              : fmt::format(kFormat, "d/d", "shift_x", "shift_y", "rotation")};
  std::size_t first = 0;
  for (const char* name : {"force_x", "force_y", "moment_z"}) {
    const double* row = report.sensitivities->data() + first;
    lines.push_back(fmt::format(kFormat, name, fmt::format("{:.6g}", row[0]),
                                fmt::format("{:.6g}", row[1]), fmt::format("{:.6g}", row[2])));
    first += 3;
  }
  return lines;
}

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

nlohmann::ordered_json step_json(int number, const StepInput& input, const StepReport& report) {
  nlohmann::ordered_json step;
  step["number"] = number;
  step["problem"] = problem_name(input.tangential.problem);
  step["outcome"] = outcome_name(report.outcome);
  step["message"] = report.message;
  step["touches_edge"] = report.touches_edge;
  for (const QuantityEntry& entry : quantity_table()) {
    if (!entry.applies(input.tangential.problem)) continue;
    const std::string name(entry.name);
    std::visit([&](auto member) { step[name] = report.*member; }, entry.value);
  }
  if (slip_rate(input) > 0.0)
    step[std::string(kFrictionPowerName)] = quantity(report, input, kFrictionPowerName);
  if (report.sensitivities) {
    const auto& s = *report.sensitivities;
    step[std::string(kSensitivitiesName)] = {
        {s[0], s[1], s[2]}, {s[3], s[4], s[5]}, {s[6], s[7], s[8]}};
  }
  for (const char* name : {"force_ratio_x", "force_ratio_y"})
    step[name] = quantity(report, input, name);
  return step;
}

void print_json(const nlohmann::ordered_json& document) {
  using Json = nlohmann::ordered_json;
  print_line(document.dump(2, ' ', false, Json::error_handler_t::replace));  // NaN, inf: null
}

}  // namespace slipfield
