#include "app/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/step_table.h"

namespace slipfield {
namespace {

constexpr std::size_t kNarrowest = 10;  // of the values of a key
constexpr std::size_t kWidest = 30;

struct ShownTotal {
  std::string_view name;
  std::string_view head;
};
constexpr std::array kShown = {
    ShownTotal{"normal_force", "F_n"},
    ShownTotal{"approach", "approach"},
    ShownTotal{"max_pressure", "p_max"},
    ShownTotal{"force_x", "F_x"},
    ShownTotal{"force_y", "F_y"},
    ShownTotal{"moment_z", "M_z"},
    ShownTotal{"elements_contact", "contact"},
    ShownTotal{"elements_slip", "slip"},
};

std::string shown_value(const SweepInput& input, std::size_t point) {
  if (input.is_number()) return fmt::format("{:.6g}", input.numbers[point]);
  const std::string& text = input.texts[point];
  return text.size() > kWidest ? text.substr(0, kWidest - 3) + "..." : text;
}

std::size_t width_of(const SweepInput& input) {
  std::size_t width = std::max(kNarrowest, input.key.size());
  for (std::size_t point = 0; point < input.texts.size(); ++point)
    width = std::max(width, shown_value(input, point).size());
  return width;
}

}  // namespace

SweepLines::SweepLines(const SweepTable& table) {
  for (const SweepInput& input : table.inputs) widths_.push_back(width_of(input));
}

std::vector<std::string> SweepLines::head(const SweepTable& table, Units units) const {
  std::string names = fmt::format("{:>6}", "point");
  std::string unit_line(names.size(), ' ');
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    names += fmt::format("  {:>{}}", table.inputs[i].key, widths_[i]);
    unit_line += fmt::format("  {:>{}}", "", widths_[i]);
  }
  for (const ShownTotal& total : kShown) {
    const Dimension dimension = quantity_dimension(total.name);
    names += fmt::format(" {:>12}", total.head);
    unit_line += fmt::format(
        " {:>12}", dimension == Dimension::none ? "elements" : unit_text(dimension, units));
  }
  return {names + "  outcome", unit_line};
}

std::string SweepLines::row(const SweepTable& table, std::size_t point) const {
  std::string row = fmt::format("{:>6}", point + 1);
  for (std::size_t i = 0; i < widths_.size(); ++i)
    row += fmt::format("  {:>{}}", shown_value(table.inputs[i], point), widths_[i]);
  for (const ShownTotal& total : kShown) {
    const SweepColumn* column = table.find(total.name);
    const bool has_value = column != nullptr && !std::isnan(column->values[point]);
    row +=
        has_value ? fmt::format(" {:>12.5g}", column->values[point]) : fmt::format(" {:>12}", '-');
  }
  return row + fmt::format("  {}", point_outcome_name(table.outcomes[point]));
}

std::string sweep_summary(const SweepTable& table) {
  std::string text = counted(table.count(), "point") + ":";
  std::string separator = " ";
  for (const PointOutcome outcome : {PointOutcome::converged, PointOutcome::not_converged,
                                     PointOutcome::failed, PointOutcome::not_run}) {
    const auto count = std::count(table.outcomes.begin(), table.outcomes.end(), outcome);
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
    entry["point"] = point + 1;
    for (const SweepInput& input : table.inputs) {
      if (input.is_number())
        entry["inputs"][input.key] = input.numbers[point];
      else
        entry["inputs"][input.key] = input.texts[point];
    }
    entry["outcome"] = point_outcome_name(table.outcomes[point]);
    entry["message"] = table.messages[point];
    for (const SweepColumn& column : table.columns) entry[column.name] = column.values[point];
    document["points"].push_back(std::move(entry));
  }
  return document;
}

}  // namespace slipfield
