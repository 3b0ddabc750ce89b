// SPDX-License-Identifier: Apache-2.0
#include "app/report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "app/report/step_table.h"
#include "io/case/of_result.h"
#include "io/result/field_table.h"
#include "io/result/interior/group.h"
#include "io/result/surface/table.h"

namespace slipfield {
namespace {

constexpr std::size_t kListedElements = 20;
// Listed in any case; the others if they differ.
constexpr std::array<std::string_view, 6> kListedTotals = {
    "normal_force", "approach", "max_pressure", "force_x", "force_y", "moment_z"};

struct Norms {
  double first = 0.0;
  double difference = 0.0;
};

// Infinite or missing values on both sides count as equal.
Norms norms(std::span<const double> first, std::span<const double> second) {
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
  std::string name;
  std::string kin;
  Norms norms;  // of fields of different sizes the difference is infinite
};

std::string kin_of(const FieldEntry& entry, bool of_surface) {
  if (entry.name == "undeformed_distance" || entry.name == "pressure")
    return std::string(entry.name);
  return fmt::format("{} {}", static_cast<int>(entry.dimension), of_surface ? "surface" : "");
}
std::string kin_of_lengths() { return kin_of(*find_field("slip_x"), false); }

std::vector<ComparedField> compared_fields(const StepResult& first, const StepResult& second,
                                           std::vector<std::string>& of_one) {
  std::vector<ComparedField> compared;
  const auto add = [&](std::string name, std::string kin, std::span<const double> a,
                       std::span<const double> b, double per_unit = 1.0) {
    if (a.empty() != b.empty()) of_one.push_back(name);
    if (a.empty() || b.empty()) return;
    const Norms found =
        a.size() == b.size() ? norms(a, b) : Norms{1.0, std::numeric_limits<double>::infinity()};
    compared.push_back(
        {std::move(name), std::move(kin), {per_unit * found.first, per_unit * found.difference}});
  };
  const auto add_entry = [&](const FieldEntry& entry, const std::string& kin) {
    add(std::string(entry.name), kin, first.solution.*entry.values, second.solution.*entry.values);
  };
  for (const FieldEntry& entry : field_table()) add_entry(entry, kin_of(entry, false));
  for (const FieldEntry& entry : surface_field_table()) add_entry(entry, kin_of(entry, true));
  for (const FieldEntry& entry : row_field_table()) add_entry(entry, std::string(entry.name));
  const auto add_numbers = [&](std::string_view name, const auto& a, const auto& b) {
    using Numbers = std::span<const double>;
    add(std::string(name), std::string(name), a ? Numbers(*a) : Numbers(),
        b ? Numbers(*b) : Numbers());
  };
  add_numbers(kSensitivitiesName, first.report.sensitivities, second.report.sensitivities);
  add_numbers(kApproachSensitivitiesName, first.report.approach_sensitivities,
              second.report.approach_sensitivities);
  for (const StoredField& field : first.stored) {
    const StoredField* other = find_by_name(second.stored, field.name);
    if (other == nullptr)
      of_one.push_back(field.name);
    else
      add(field.name, field.kin, field.read(), other->read(), field.per_unit);
  }
  for (const StoredField& field : second.stored)
    if (find_by_name(first.stored, field.name) == nullptr) of_one.push_back(field.name);
  return compared;
}

// All numbers of the step, and what a file says of its motion.
NamedNumbers numbers_of(const StepResult& step) {
  NamedNumbers numbers = step_numbers(step.input, step.report);
  const Tangential& motion = step.input.tangential;
  if (is_rolling(motion.problem)) {
    numbers["rolling_direction"] = motion.direction;
    numbers["rolling_step"] = motion.step;
    numbers["rolling_velocity"] = motion.velocity;
  } else if (motion.duration > 0.0) {
    numbers["shift_duration"] = motion.duration;
  }
  std::erase_if(numbers, [](const auto& number) { return !is_compared(number.first); });
  return numbers;
}

std::vector<TotalDifference> totals_of_both(const StepResult& first, const StepResult& second,
                                            bool one_grid, std::vector<std::string>& of_one) {
  const NamedNumbers a = numbers_of(first);
  const NamedNumbers b = numbers_of(second);
  const bool steady = first.input.tangential.problem == TangentialProblem::steady_rolling &&
                      first.input.tangential.step != second.input.tangential.step;
  const auto natural = [](std::string_view name, const NamedNumbers& numbers) {
    return natural_size(name, [&](std::string_view other) {
      const auto found = numbers.find(other);
      return found == numbers.end() ? std::nan("") : found->second;
    });
  };
  std::vector<TotalDifference> totals;
  for (const auto& [name, value] : a) {
    if (!one_grid && is_of_grid(name, steady)) continue;
    const auto in_b = b.find(name);
    if (in_b == b.end()) {
      of_one.push_back(name);
      continue;
    }
    TotalDifference total{name, value, in_b->second};
    double scale = natural(name, a);
    if (scale == 0.0) scale = natural(name, b);  // only that one may have slipped
    for (const auto& [other, its_value] : a)
      if (judges(other, name)) scale = std::max(scale, std::fabs(its_value));
    total.of_kin = distance_of_totals(total.first, total.second, scale);
    totals.push_back(std::move(total));
  }
  for (const auto& [name, value] : b)
    if (!a.contains(name) && (one_grid || !is_of_grid(name, steady))) of_one.push_back(name);
  std::ranges::stable_sort(totals, {}, [](const TotalDifference& total) {
    return std::ranges::find(kListedTotals, total.name) - kListedTotals.begin();
  });
  return totals;
}

}  // namespace

bool is_of_grid(std::string_view name, bool steady) {
  const ErrorEntry* const error = find_error(name);
  return name.starts_with("elements_") || name == "rolling_step" || name == "first_order_rows" ||
         (steady && (error != nullptr ? error->quantity : name) == "friction_work");
}

bool StepDifference::equal(double tolerance) const {
  const auto within = [tolerance](const auto& difference) {
    return difference.of_kin <= tolerance;  // false for NaN
  };
  return ended_alike && problems.empty() && differing.empty() &&
         std::all_of(fields.begin(), fields.end(), within) &&
         std::all_of(totals.begin(), totals.end(), within);
}

StepDifference compare_steps(const StepResult& first, const StepResult& second) {
  StepDifference result;
  result.number = first.number;
  result.both_converged =
      first.report.outcome == Outcome::converged && second.report.outcome == Outcome::converged;
  result.ended_alike = first.report.outcome == second.report.outcome;
  const TangentialProblem problem = first.input.tangential.problem;
  const TangentialProblem other_problem = second.input.tangential.problem;
  if (problem != other_problem)
    result.problems = fmt::format("{} and {}", problem_name(problem), problem_name(other_problem));
  result.one_grid = lie_alike(first.grid, second.grid);
  result.totals = totals_of_both(first, second, result.one_grid, result.of_one);
  if (!result.one_grid) return result;
  const std::vector<ComparedField> compared = compared_fields(first, second, result.of_one);
  for (const ComparedField& field : compared) {
    double kin = 0.0;
    for (const ComparedField& other : compared)
      if (field.kin == other.kin) kin = std::max(kin, other.norms.first);
    result.fields.push_back({field.name, ratio(field.norms.difference, field.norms.first),
                             ratio(field.norms.difference, kin)});
  }
  const auto& a = first.solution.element_division;
  const auto& b = second.solution.element_division;
  result.has_division = !a.empty() && !b.empty();
  if (a.empty() != b.empty()) result.of_one.emplace_back(kDivisionName);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i]) result.differing.push_back(i);
  }
  return result;
}

namespace {

void add_interior(const ResultFile& file, const ResultStep& step, StepResult& result) {
  for (const InteriorBody& body : file.interior(step)) {
    const std::string path = interior_path(body.body) + "/";
    const auto add = [&](const std::string& name, std::string kin,
                         std::function<std::vector<double>()> read) {
      result.stored.push_back({path + name, std::move(kin), 1.0, std::move(read)});
    };
    const auto add_list = [&](const std::string& name, const std::vector<double>& values) {
      if (!values.empty()) add(name, path + name, [values] { return values; });
    };
    add_list("depth", body.depths);
    add_list("x", body.x);
    add_list("y", body.y);
    for (const auto& [name, greatest] : greatest_of(body.summary))
      add_list(std::string(name) + "_by_depth", greatest->by_depth);
    add_list("dang_van_along_y", body.dang_van_along_y);
    add_list("crossland_along_y", body.crossland_along_y);
    for (const std::string& name : body.quantities) {
      const auto quantity = interior_from_name(name);
      const Dimension dimension = quantity ? interior_entry(*quantity).dimension : Dimension::none;
      add(name, fmt::format("interior {}", static_cast<int>(dimension)),
          [&file, &step, body, name] { return file.interior_values(step, body, name); });
    }
  }
}

}  // namespace

StepResult step_result(const ResultFile& file, const ResultStep& step) {
  StepResult result{step.number, file.info().header.grid, step.input,
                    step.report, file.solution(step),     {}};
  const double rate = slip_rate(step.input);
  for (const VelocityFieldEntry& entry : velocity_field_table()) {
    const std::string name(entry.name);
    if (std::ranges::find(step.fields, name) != step.fields.end() && rate > 0.0)
      result.stored.push_back({name, kin_of_lengths(), 1.0 / rate,
                               [&file, &step, name] { return file.field(step, name); }});
  }
  add_interior(file, step, result);
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
    lines.emplace_back(
        "  of other grids: totals alone are compared, without counts of elements, and without the "
        "work of a steady step if its length differs");
  if (!difference.problems.empty())
    lines.push_back("  tangential problems: " + difference.problems + "  NO");
  if (!difference.of_one.empty())
    lines.push_back(fmt::format("  of one file alone, and not compared: {}",
                                fmt::join(difference.of_one, ", ")));
  for (const FieldDifference& field : difference.fields) {
    lines.push_back(fmt::format("  {:<22} {:>16.3e} {:>16.3e}  {}", field.name, field.relative,
                                field.of_kin, field.of_kin <= tolerance ? "yes" : "NO"));
  }
  lines.push_back(fmt::format("  {:<22} {:>16} {:>16} {:>12}", "total", "a", "b", "a-b"));
  std::size_t left_out = 0;
  for (const TotalDifference& total : difference.totals) {
    const bool within = total.of_kin <= tolerance;
    if (within && std::ranges::find(kListedTotals, total.name) == kListedTotals.end()) {
      ++left_out;
      continue;
    }
    lines.push_back(fmt::format("  {:<22} {:>16.9g} {:>16.9g} {:>12.3g}", total.name, total.first,
                                total.second, total.first - total.second));
    if (!within) lines.back() += "  NO";
  }
  if (left_out > 0) lines.push_back(fmt::format("  {} more within", counted(left_out, "total")));
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
  step["step"] = difference.number;
  step["equal"] = difference.equal(tolerance);
  step["both_converged"] = difference.both_converged;
  step["ended_alike"] = difference.ended_alike;
  for (const FieldDifference& field : difference.fields) {
    step["fields"][field.name] = {{"relative", field.relative}, {"of_kin", field.of_kin}};
  }
  for (const TotalDifference& total : difference.totals) {
    step["totals"][total.name] = {
        {"a", total.first}, {"b", total.second}, {"of_kin", total.of_kin}};
  }
  if (!difference.of_one.empty()) step["of_one"] = difference.of_one;
  if (!difference.problems.empty()) step["problems"] = difference.problems;
  step["one_grid"] = difference.one_grid;
  step["elements_differing"] = difference.differing.size();
  return step;
}

}  // namespace slipfield
