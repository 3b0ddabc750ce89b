// SPDX-License-Identifier: Apache-2.0
#include "app/report/compare_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "io/result/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kListedElements = 20;
constexpr std::array<std::string_view, 6> kTotals = {"normal_force", "approach", "max_pressure",
                                                     "force_x",      "force_y",  "moment_z"};

struct Norms {
  double first = 0.0;
  double difference = 0.0;
};

// Values that are infinite or missing on both sides agree.
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

bool same_kin(const FieldEntry& a, const FieldEntry& b) {
  const auto is_distance = [](const FieldEntry& e) { return e.name == "undeformed_distance"; };
  const auto is_pressure = [](const FieldEntry& e) { return e.name == "pressure"; };
  return a.dimension == b.dimension && is_distance(a) == is_distance(b) &&
         is_pressure(a) == is_pressure(b);
}

}  // namespace

bool StepDifference::equal(double tolerance) const {
  return ended_alike && differing.empty() &&
         std::all_of(fields.begin(), fields.end(), [tolerance](const FieldDifference& field) {
           return field.of_kin <= tolerance;  // false for NaN
         });
}

StepDifference compare_steps(const StepResult& first, const StepResult& second) {
  StepDifference result;
  result.number = first.number;
  result.both_converged =
      first.report.outcome == Outcome::converged && second.report.outcome == Outcome::converged;
  result.ended_alike = first.report.outcome == second.report.outcome;
  struct Compared {
    const FieldEntry* entry;
    Norms norms;
  };
  std::vector<Compared> compared;
  for (const FieldEntry& entry : field_table()) {
    const std::vector<double>& a = first.solution.*entry.values;
    const std::vector<double>& b = second.solution.*entry.values;
    if (a.empty() || b.empty()) continue;
    if (a.size() != b.size()) {
      throw InputError(fmt::format("the grids differ: {} and {} elements", a.size(), b.size()));
    }
    compared.push_back({&entry, norms(a, b)});
  }
  for (const Compared& field : compared) {
    double kin = 0.0;
    for (const Compared& other : compared) {
      if (same_kin(*field.entry, *other.entry)) kin = std::max(kin, other.norms.first);
    }
    result.fields.push_back({std::string(field.entry->name),
                             ratio(field.norms.difference, field.norms.first),
                             ratio(field.norms.difference, kin)});
  }
  const auto& a = first.solution.element_division;
  const auto& b = second.solution.element_division;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i]) result.differing.push_back(i);
  }
  for (const std::string_view name : kTotals) {
    result.totals.push_back({std::string(name), quantity(first.report, first.input, name),
                             quantity(second.report, second.input, name)});
  }
  return result;
}

std::vector<std::string> difference_table(const StepDifference& difference, const Grid& grid,
                                          double tolerance) {
  std::vector<std::string> lines = {
      fmt::format("step {}: {}", difference.number,
                  difference.equal(tolerance) ? "equal" : "DIFFERENT"),
      fmt::format("  {:<22} {:>16} {:>16}  within", "field", "|a-b|/|a|", "of its kin")};
  if (difference.fields.empty()) lines.emplace_back("  none is in both: totals are compared only");
  for (const FieldDifference& field : difference.fields) {
    lines.push_back(fmt::format("  {:<22} {:>16.3e} {:>16.3e}  {}", field.name, field.relative,
                                field.of_kin, field.of_kin <= tolerance ? "yes" : "NO"));
  }
  lines.push_back(fmt::format("  {:<22} {:>16} {:>16} {:>12}", "total", "a", "b", "a-b"));
  for (const TotalDifference& total : difference.totals) {
    lines.push_back(fmt::format("  {:<22} {:>16.9g} {:>16.9g} {:>12.3g}", total.name, total.first,
                                total.second, total.first - total.second));
  }
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
  step["elements_differing"] = difference.differing.size();
  return step;
}

}  // namespace slipfield
