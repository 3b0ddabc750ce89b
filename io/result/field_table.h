// SPDX-License-Identifier: Apache-2.0
// Names, units and descriptions of everything that a result holds for a step: one table for the
// writer, the reader, `inspect`, `expected:` entries and the documentation. Formulas: THEORY.md 11.
//
// Fields are arrays over the grid, quantities are numbers. A field or quantity of StepReport and
// ContactSolution that is not listed here is not written.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/solution.h"

namespace slipfield {

enum class Dimension {
  none,              // ratios and counts
  length,            // mm | m
  angle,             // rad
  angle_per_length,  // rad/mm | rad/m
  traction,          // N/mm^2 | Pa
  force,             // N
  moment,            // N mm | N m
  energy,            // N mm | J
  power,             // N mm/s | W
  velocity,          // mm/s | m/s
  time,              // s
  area,              // mm^2 | m^2
  power_density,     // N/(mm s) | W/m^2
  temperature,       // degrees
  stiffness,         // N/mm | N/m
  volume             // mm^3 | m^3
};
std::string_view unit_text(Dimension dimension, Units units);
std::string_view units_name(Units units);  // "N-mm-s" | "SI"
std::optional<Units> units_from_name(std::string_view name);

std::string_view problem_name(TangentialProblem problem);  // as in the case file
std::optional<TangentialProblem> problem_from_name(std::string_view name);
std::string_view outcome_name(Outcome outcome);

// A field of float64 values, one per element.
struct FieldEntry {
  std::string_view name;
  Dimension dimension;
  std::string_view description;
  std::vector<double> ContactSolution::*values;
};
std::span<const FieldEntry> field_table();
// The entry in this table or in those of surface/table.h; null for an unknown name.
const FieldEntry* find_field(std::string_view name);
inline constexpr std::string_view kDivisionName = "element_division";  // uint8
inline constexpr std::string_view kDivisionDescription =
    "state of the element: 0 exterior, 1 adhesion, 2 slip";
inline constexpr std::string_view kPlasticDivisionDescription =  // if there are such elements
    "state of the element: 0 exterior, 1 adhesion, 2 slip, 3 plastic (a layer yields)";
// A slip distance as a velocity: a field of steps that have a rolling velocity or the duration of a
// shift.
struct VelocityFieldEntry {
  std::string_view name;
  std::string_view description;
  std::vector<double> ContactSolution::*distance;
};
std::span<const VelocityFieldEntry> velocity_field_table();
// See slip_rate() of solver/rolling.h.
double slip_rate(const StepInput& input);

std::vector<std::string> field_names();                        // both tables and element_division
std::vector<std::string> field_names(const StepInput& input);  // those of the step
Dimension field_dimension(std::string_view name);              // none for an unknown name
std::string_view field_description(std::string_view name);     // empty for an unknown name

// A number of a step that the solver reports; an attribute of the step's group.
enum class AppliesTo { every_problem, shift, rolling };  // `shift` also for the problem `none`
struct QuantityEntry {
  std::string_view name;
  Dimension dimension;
  AppliesTo applies_to;
  std::string_view description;
  std::variant<double StepReport::*, int StepReport::*, std::int64_t StepReport::*> value;
  bool in_every_file = true;   // else it reads as 0 from files of older versions
  bool only_positive = false;  // not written in a step in which it is 0

  [[nodiscard]] bool applies(TangentialProblem problem) const;
  [[nodiscard]] bool is_integer() const { return value.index() != 0; }
  [[nodiscard]] double get(const StepReport& report) const;
};
std::span<const QuantityEntry> quantity_table();

// The attribute `warning` of a step whose contact reaches the border of a free grid.
inline constexpr std::string_view kEdgeWarning =
    "contact reaches the edge of the grid: the grid may be too small, unless the body ends there";

// friction_work times slip_rate(), not positive; an attribute of steps with a slip rate.
inline constexpr std::string_view kFrictionPowerName = "friction_power";

// Dataset (3, 3) of a step, StepReport::sensitivities, if the case requests it.
inline constexpr std::string_view kSensitivitiesName = "sensitivities";
// Dataset (4) next to it, StepReport::approach_sensitivities.
inline constexpr std::string_view kApproachSensitivitiesName = "approach_sensitivities";

// The greatest equivalent stresses inside the bodies and their depths, for the body with the
// greater stress. They exist if the case requests an interior; NaN in a step without.
std::span<const std::string_view> interior_quantity_names();

// Numbers by their names.
using NamedNumbers = std::map<std::string, double, std::less<>>;
// All quantities of the step, including those of its surfaces and interior and the estimated
// errors.
NamedNumbers step_numbers(const StepInput& input, const StepReport& report);
// y of a contact's rows of elements across the rolling direction, and the wear of each in all
// passes (ContactSolution::wear_profile). Empty unless wear is requested.
struct WornRows {
  std::vector<double> y;
  std::vector<double> depth;
};
// Totals of a step, of one side of a wheelset, or of a contact of a wheel (from 1).
struct TableRow {
  std::string side;  // empty: not a wheel's result
  int contact = 0;
  NamedNumbers totals;
  WornRows worn = {};  // of contacts, in sweeps
};

// Any quantity of a step by name: those of the table, `friction_power`, those of the surfaces
// (surface/table.h) and of the interior. Of the last two a step without one has NaN. Throws
// InputError for a name that is unknown or that the step's problem does not have.
double quantity(const StepReport& report, const StepInput& input, std::string_view name);
// Whether the step's problem has it; not those of the surfaces and the interior, which are NaN in
// the steps without.
bool has_quantity(const StepInput& input, std::string_view name);
// Description of a quantity, of an estimated error, or of a number of a wheel on a rail
// (wheel/table.h); empty for an unknown name.
std::string_view quantity_description(std::string_view name);
std::vector<std::string> quantity_names();            // all that quantity() accepts
Dimension quantity_dimension(std::string_view name);  // see quantity_description()

// Both tables as Markdown for the documentation, and one row of such a table.
std::string field_table_markdown(Units units);
std::string markdown_row(std::string_view name, Dimension dimension, std::string_view description,
                         Units units);

// The entry of a table by its name, or null.
template <typename Table>
auto find_by_name(const Table& table, std::string_view name) -> decltype(std::data(table)) {
  for (const auto& entry : table)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace slipfield
