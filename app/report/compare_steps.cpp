// SPDX-License-Identifier: Apache-2.0
#include "app/report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "io/result/field_table.h"
#include "io/result/surface/table.h"

namespace slipfield {
namespace {

constexpr std::size_t kListedElements = 20;
// The totals listed here, and those of the surfaces that the case requests.
constexpr std::array<std::string_view, 6> kTotals = {"normal_force", "approach", "max_pressure",
                                                     "force_x",      "force_y",  "moment_z"};

struct Norms {
  double first = 0.0;
  double difference = 0.0;
};

// Infinite or missing values on both sides count as equal.
Norms norms(const std::vector<double>& first, const std::vector<double>& second) {
  Norms result;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == second[i] && !std::isfinite(first[i])) continue;
    if (std::isnan(first[i]) && std::isnan(second[i])) continue;
    result.first += first[i] * first[i];
    result.difference += (first[i] - second[i]) * (first[i] - second[i]);
  }
  return {std::sqrt(result.first), std::sqrt(result.difference)};
}

double ratio(double difference, double size) {
  if (difference == 0.0) return 0.0;
  return size > 0.0 ? difference / size : std::numeric_limits<double>::infinity();
}

struct ComparedField {
  const FieldEntry* entry;
  bool of_surface;
  Norms norms;
};

bool same_kin(const ComparedField& a, const ComparedField& b) {
  const auto is_distance = [](const ComparedField& f) {
    return f.entry->name == "undeformed_distance";
  };
  const auto is_pressure = [](const ComparedField& f) { return f.entry->name == "pressure"; };
  return a.entry->dimension == b.entry->dimension && a.of_surface == b.of_surface &&
         is_distance(a) == is_distance(b) && is_pressure(a) == is_pressure(b);
}

std::vector<ComparedField> compared_fields(const StepResult& first, const StepResult& second,
                                           std::vector<std::string>& of_one) {
  std::vector<ComparedField> compared;
  const auto add = [&](const FieldEntry& entry, bool of_surface) {
    const std::vector<double>& a = first.solution.*entry.values;
    const std::vector<double>& b = second.solution.*entry.values;
    if (a.empty() != b.empty()) of_one.emplace_back(entry.name);
    if (a.empty() || b.empty()) return;
    compared.push_back({&entry, of_surface, norms(a, b)});
  };
  for (const FieldEntry& entry : field_table()) add(entry, false);
  for (const FieldEntry& entry : surface_field_table()) add(entry, true);
  return compared;
}

// The size of the contact that a total is judged by; 0 if it is not.
double size_by_contact(std::string_view name, const NamedNumbers& totals) {
  using Contact = VanishingTotal::Contact;
  const auto* entry = std::ranges::find(kVanishingTotals, name, &VanishingTotal::name);
  const auto area = totals.find("contact_area");
  const auto force = totals.find("normal_force");
  if (entry == kVanishingTotals.end() || entry->contact == Contact::none || area == totals.end() ||
      force == totals.end())
    return 0.0;
  const double arm = std::sqrt(std::fabs(area->second));
  return entry->contact == Contact::moment ? std::fabs(force->second) * arm : arm;
}

std::vector<TotalDifference> totals_of_both(const StepResult& first, const StepResult& second,
                                            std::vector<std::string>& of_one) {
  const NamedNumbers a = step_numbers(first.input, first.report);
  const NamedNumbers b = step_numbers(second.input, second.report);
  std::vector<TotalDifference> totals;
  const auto add = [&](std::string_view name) {
    const auto in_a = a.find(name);
    const auto in_b = b.find(name);
    if (in_a == a.end() && in_b == b.end()) return;
    if (in_a == a.end() || in_b == b.end()) {
      of_one.emplace_back(name);
      return;
    }
    TotalDifference total{std::string(name), in_a->second, in_b->second};
    double scale = 0.0;
    for (const auto& [other, value] : a)
      if (is_compared(other) && judges(other, name)) scale = std::max(scale, std::fabs(value));
    scale = std::max(scale, size_by_contact(name, a));
    total.of_kin = distance_of_totals(total.first, total.second, scale);
    totals.push_back(std::move(total));
  };
  for (const std::string_view name : kTotals) add(name);
  for (const SurfaceNumberEntry& entry : surface_number_table()) add(entry.name);
  return totals;
}

}  // namespace

bool StepDifference::equal(double tolerance) const {
  const auto within = [tolerance](const auto& difference) {
    return difference.of_kin <= tolerance;  // false for NaN
  };
  return ended_alike && differing.empty() && std::all_of(fields.begin(), fields.end(), within) &&
         std::all_of(totals.begin(), totals.end(), within);
}

StepDifference compare_steps(const StepResult& first, const StepResult& second) {
  StepDifference result;
  result.number = first.number;
  result.both_converged =
      first.report.outcome == Outcome::converged && second.report.outcome == Outcome::converged;
  result.ended_alike = first.report.outcome == second.report.outcome;
  result.totals = totals_of_both(first, second, result.of_one);
  result.one_grid = first.grid.mx == second.grid.mx && first.grid.my == second.grid.my;
  if (!result.one_grid) return result;
  const std::vector<ComparedField> compared = compared_fields(first, second, result.of_one);
  for (const ComparedField& field : compared) {
    double kin = 0.0;
    for (const ComparedField& other : compared)
      if (same_kin(field, other)) kin = std::max(kin, other.norms.first);
    result.fields.push_back({std::string(field.entry->name),
                             ratio(field.norms.difference, field.norms.first),
                             ratio(field.norms.difference, kin)});
  }
  const auto& a = first.solution.element_division;
  const auto& b = second.solution.element_division;
  result.has_division = !a.empty() && !b.empty();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i]) result.differing.push_back(i);
  }
  return result;
}

std::vector<std::string> difference_table(const StepDifference& difference, const Grid& grid,
                                          double tolerance) {
  std::vector<std::string> lines = {fmt::format(
      "step {}: {}", difference.number, difference.equal(tolerance) ? "equal" : "DIFFERENT")};
  if (difference.one_grid)
    lines.push_back(
        fmt::format("  {:<22} {:>16} {:>16}  within", "field", "|a-b|/|a|", "of its kin"));
  else
    lines.emplace_back("  of other grids: totals alone are compared");
  if (!difference.of_one.empty())
    lines.push_back(fmt::format("  of one file alone, and not compared: {}",
                                fmt::join(difference.of_one, ", ")));
  for (const FieldDifference& field : difference.fields) {
    lines.push_back(fmt::format("  {:<22} {:>16.3e} {:>16.3e}  {}", field.name, field.relative,
                                field.of_kin, field.of_kin <= tolerance ? "yes" : "NO"));
  }
  lines.push_back(fmt::format("  {:<22} {:>16} {:>16} {:>12}", "total", "a", "b", "a-b"));
  for (const TotalDifference& total : difference.totals) {
    lines.push_back(fmt::format("  {:<22} {:>16.9g} {:>16.9g} {:>12.3g}", total.name, total.first,
                                total.second, total.first - total.second));
    if (!(total.of_kin <= tolerance)) lines.back() += "  NO";
  }
  if (difference.has_division)
    lines.push_back(
        fmt::format("  elements whose division differs: {}", difference.differing.size()));
  for (std::size_t k = 0; k < std::min(kListedElements, difference.differing.size()); ++k) {
    const std::size_t i = difference.differing[k];
    const auto mx = static_cast<std::size_t>(grid.mx);
    lines.push_back(fmt::format("    ix {} iy {}", i % mx, i / mx));
  }
  if (difference.differing.size() > kListedElements) lines.emplace_back("    ...");
  if (!difference.ended_alike)
    lines.emplace_back("  one of the two did not converge");
  else if (!difference.both_converged)
    lines.emplace_back("  neither of the two converged");
  return lines;
}

nlohmann::ordered_json difference_json(const StepDifference& difference, double tolerance) {
  nlohmann::ordered_json step;
  step["number"] = difference.number;
  step["equal"] = difference.equal(tolerance);
  step["both_converged"] = difference.both_converged;
  step["ended_alike"] = difference.ended_alike;
  for (const FieldDifference& field : difference.fields) {
    step["fields"][field.name] = {{"relative", field.relative}, {"of_kin", field.of_kin}};
  }
  for (const TotalDifference& total : difference.totals) {
    step["totals"][total.name] = {{"a", total.first}, {"b", total.second}};
  }
  if (!difference.of_one.empty()) step["of_one"] = difference.of_one;
  step["one_grid"] = difference.one_grid;
  step["elements_differing"] = difference.differing.size();
  return step;
}

}  // namespace slipfield
