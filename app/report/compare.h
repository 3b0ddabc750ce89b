// SPDX-License-Identifier: Apache-2.0
// Differences of two results: for steps by field and total, for sweeps and wheels by column of
// their tables and by the fields of their points and contacts. All that the tables of io/result
// list is compared, except how the result was found (is_compared).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/any_result.h"
#include "io/result/step_attributes.h"
#include "io/result/wheel/table.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// A dataset of a file that is not in its ContactSolution.
struct StoredField {
  std::string name;
  std::string kin;        // fields with the same one decide together how many digits count
  double per_unit = 1.0;  // of a velocity: its slip distance over it
  std::function<std::vector<double>()> read;
};

// One side of a comparison.
struct StepResult {
  int number = 0;
  Grid grid;
  StepInput input;
  StepReport report;
  ContactSolution solution;  // fields that a file does not hold are empty
  std::vector<StoredField> stored{};
};
// `file` must outlive the result.
StepResult step_result(const ResultFile& file, const ResultStep& step);

struct FieldDifference {
  std::string name;
  double relative = 0.0;  // |a - b|/|a|, L2 over the elements; infinite if a is 0 and b is not
  // The same relative to the norm of the field and its kin (tractions; displacements, gap and
  // slip). The verdict uses this one: a component that is zero except for rounding has no digits of
  // its own.
  double of_kin = 0.0;
};

struct TotalDifference {
  std::string name;
  double first = 0.0;
  double second = 0.0;
  double of_kin = 0.0;  // |a - b| over the greatest of its kin
};

struct StepDifference {
  int number = 0;
  std::vector<FieldDifference> fields;  // those that both sides hold
  std::vector<TotalDifference> totals;
  std::vector<std::string> of_one;     // fields and totals that only one side holds: not compared
  bool has_division = false;           // true if both have one
  std::vector<std::size_t> differing;  // elements with different divisions
  std::string problems;                // "shift and steady_rolling"; empty: the same
  bool one_grid = true;                // otherwise fields and counts of elements are not compared
  bool both_converged = true;
  bool ended_alike = true;  // both converged or neither did

  // True if both have the same problem and ended the same way, every field and total is within the
  // tolerance (relative to its kin), and every element has the same state.
  [[nodiscard]] bool equal(double tolerance) const;
};

// On grids of different sizes only the totals are compared.
StepDifference compare_steps(const StepResult& first, const StepResult& second);

std::vector<std::string> difference_table(const StepDifference& difference, const Grid& grid,
                                          double tolerance);
nlohmann::ordered_json difference_json(const StepDifference& difference, double tolerance);

struct ColumnDifference {
  std::string name;
  // Greatest |a - b| of a row over the greatest |a| of the total and its kin in the rows of its
  // point (all forces, all lengths, ...): a total that is 0 except for rounding has no digits of
  // its own. A point is judged as a run of its own is.
  double of_kin = 0.0;
  std::size_t point = 0;  // where it is greatest, from 1
};

// Points or steps that only one of two runs reached, for example because the other was interrupted;
// they are not compared.
struct NotRun {
  std::vector<std::size_t> first;   // points or steps that the first file has not run, from 1
  std::vector<std::size_t> second;  // likewise
  std::size_t both_ran = 0;
  std::string row = "point";  // or "step"
};

struct SweepDifference {
  std::vector<ColumnDifference> columns;  // without iterations, counts, residual and times
  std::vector<ColumnDifference> fields;   // of points and contacts that keep fields in both
  std::vector<std::string> of_one;        // columns and fields that only one file holds
  std::vector<std::size_t> divided;       // points, from 1, where elements have different divisions
  bool one_grid = true;                   // else without the numbers of is_of_grid()
  bool steady = false;                    // some steps
  std::vector<std::size_t> other_grids;   // points, from 1, whose fields are not compared
  std::vector<std::size_t> unequal;       // points, from 1, with different outcomes
  // Points, from 1, that did not converge in either with the same outcome; their totals are
  // compared.
  std::vector<std::size_t> not_converged;
  NotRun not_run;

  // True if all points that both files have run are equal.
  [[nodiscard]] bool agrees(double tolerance) const;
  // True if they agree and both files have run the same points.
  [[nodiscard]] bool equal(double tolerance) const;
};

// Compares the tables. Throws InputError if keys, their values or units differ, or if no point was
// run in both.
SweepDifference compare_sweeps(const AnyResult& first, const AnyResult& second,
                               const std::string& first_name, const std::string& second_name);

// One side of a comparison of sweeps or wheels; `point`: of the sweep `path`, or 0.
struct TableOfFile {
  std::string path;
  int point = 0;
  const AnyResult* any = nullptr;
};
// Adds the fields of contacts and of points, and the steps of points before their last.
void compare_parts(const TableOfFile& first, const TableOfFile& second, SweepDifference& result);

std::vector<std::string> difference_table(const SweepDifference& difference, double tolerance);
// "  not run in a: 2 steps: 3 4": a line for each file with missing points.
std::vector<std::string> not_run_lines(const NotRun& not_run);
// "equal within 1e-05" or "DIFFERENT within 1e-05"; names what was compared if points are missing.
std::string verdict(bool agrees, const NotRun& not_run, double tolerance);
nlohmann::ordered_json not_run_json(const NotRun& not_run);
nlohmann::ordered_json difference_json(const SweepDifference& difference, double tolerance);

// --- The scale of a total's difference: its own size or, if it may be 0 except for rounding, that
// of its kin, totals of the same kind that are not 0, and what is natural for the contact. It
// follows from the totals of the step alone, so that tables are judged like results with fields.

// Numbers that count elements or follow their size, and those of a steady step, whose length is by
// default that of an element: t_gamma and friction_power have the work per distance and per time.
bool is_of_grid(std::string_view name, bool steady);

// True for numbers of the result; false for those of the way to it.
inline bool is_compared(std::string_view name) {
  constexpr std::array<std::string_view, 10> kNotCompared = {
      "iterations_normal", "iterations_tangential",  "iterations_outer",
      "matrix_products",   "matrix_products_coarse", "residual",
      "seconds",           "wheel_seconds",          "heights_solved",
      "complete_solutions"};
  return std::find(kNotCompared.begin(), kNotCompared.end(), name) == kNotCompared.end();
}

// A total that may be 0 except for rounding, by symmetry or because all adheres, and the totals of
// the same unit whose size determines how many of its digits count. All other totals stand alone.
struct VanishingTotal {
  std::string_view name;
  std::array<std::string_view, 2> judged_by;
  // And by what is natural for the contact: its length, the normal force on that as an arm, the
  // approach over it once or twice, the elastic energy, that over the length, that in the time of
  // the step, or 1.
  enum class Contact { none, length, moment, angle, curvature, energy, drag, power, one };
  Contact contact = Contact::none;
};
inline constexpr std::array kVanishingTotals = {
    VanishingTotal{"force_x", {"force_y", "normal_force"}},
    VanishingTotal{"force_y", {"force_x", "normal_force"}},
    VanishingTotal{"normal_force", {"adhesive_force"}},
    VanishingTotal{"adhesive_force", {"normal_force"}},
    VanishingTotal{"force_ratio_x", {"force_ratio_y"}, VanishingTotal::Contact::one},
    VanishingTotal{"force_ratio_y", {"force_ratio_x"}, VanishingTotal::Contact::one},
    VanishingTotal{"used_friction", {}, VanishingTotal::Contact::one},
    VanishingTotal{"surface_fatigue_index", {}, VanishingTotal::Contact::one},
    VanishingTotal{"moment_x", {"moment_y", "elastic_energy"}, VanishingTotal::Contact::moment},
    VanishingTotal{"moment_y", {"moment_x", "elastic_energy"}, VanishingTotal::Contact::moment},
    VanishingTotal{
        "pressure_centre_x", {"pressure_centre_y", "approach"}, VanishingTotal::Contact::length},
    VanishingTotal{
        "pressure_centre_y", {"pressure_centre_x", "approach"}, VanishingTotal::Contact::length},
    VanishingTotal{"moment_z", {"elastic_energy", "friction_work"}},
    VanishingTotal{"friction_work", {}, VanishingTotal::Contact::energy},
    VanishingTotal{"friction_work_total", {"elastic_energy"}},
    VanishingTotal{"friction_power", {}, VanishingTotal::Contact::power},
    VanishingTotal{"heat_upper", {"heat_lower", "friction_power"}, VanishingTotal::Contact::power},
    VanishingTotal{"heat_lower", {"heat_upper", "friction_power"}, VanishingTotal::Contact::power},
    VanishingTotal{"shift_x", {"shift_y", "approach"}},
    VanishingTotal{"shift_y", {"shift_x", "approach"}},
    VanishingTotal{"shift_total_x", {"shift_total_y", "approach"}},
    VanishingTotal{"shift_total_y", {"shift_total_x", "approach"}},
    VanishingTotal{"rotation", {}, VanishingTotal::Contact::angle},
    VanishingTotal{"spin", {}, VanishingTotal::Contact::curvature},
    VanishingTotal{"creepage_x", {"creepage_y"}, VanishingTotal::Contact::angle},
    VanishingTotal{"creepage_y", {"creepage_x"}, VanishingTotal::Contact::angle},
    VanishingTotal{"t_gamma", {}, VanishingTotal::Contact::drag},
    VanishingTotal{"t_gamma_spin", {"t_gamma"}, VanishingTotal::Contact::drag},
    VanishingTotal{"t_gamma_elements", {"t_gamma"}, VanishingTotal::Contact::drag},
    VanishingTotal{"rolling_resistance", {}, VanishingTotal::Contact::drag},
};

// The natural size of a total, or of an estimated error that of its total, by the totals of the
// same step; `number`: one of them by its name, NaN if there is none. 0: none is known.
double natural_size(std::string_view total,
                    const std::function<double(std::string_view name)>& number);

// Whether |b| helps to decide how many digits of `a` count.
inline bool judges(std::string_view b, std::string_view a) {
  if (a == b) return true;
  if (const ErrorEntry* error = find_error(a)) return judges(b, error->quantity);
  for (const VanishingTotal& total : kVanishingTotals) {
    const auto& by = total.judged_by;
    if (total.name == a) return std::find(by.begin(), by.end(), b) != by.end();
  }
  // For a wheel on a rail, forces, moments and places are judged with those of the same unit in any
  // direction.
  const auto of_wheel = [](std::string_view name) -> Dimension {
    if (name.find("wear") != std::string_view::npos ||
        name.find("t_gamma") != std::string_view::npos)
      return Dimension::none;
    if (const WheelEntry* entry = find_wheel_entry(name)) return entry->dimension;
    const ContactEntry* entry = find_contact_entry(name);
    return entry == nullptr ? Dimension::none : entry->dimension;
  };
  return of_wheel(a) != Dimension::none && of_wheel(a) == of_wheel(b);
}

// Returns |a - b| over `scale`, the greatest of its kin: 0 if both are missing or equal, infinite
// if one is missing.
inline double distance_of_totals(double a, double b, double scale) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
  const double distance = std::fabs(a - b) / scale;
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace slipfield
