// SPDX-License-Identifier: Apache-2.0
#include "io/result/field_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"
#include "io/result/wheel/table.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

using Solution = ContactSolution;
using Report = StepReport;

constexpr std::array kFields = {
    FieldEntry{"pressure", Dimension::traction, "normal pressure p_n, compression positive",
               &Solution::pressure},
    FieldEntry{"traction_x", Dimension::traction, "tangential traction p_x on body 1",
               &Solution::traction_x},
    FieldEntry{"traction_y", Dimension::traction, "tangential traction p_y on body 1",
               &Solution::traction_y},
    FieldEntry{"traction_bound", Dimension::traction,
               "greatest tangential traction that friction allows, g = mu p_n",
               &Solution::traction_bound},
    FieldEntry{"displacement_x", Dimension::length,
               "tangential displacement difference u_x, body 1 minus body 2",
               &Solution::displacement_x},
    FieldEntry{"displacement_y", Dimension::length,
               "tangential displacement difference u_y, body 1 minus body 2",
               &Solution::displacement_y},
    FieldEntry{"displacement_n", Dimension::length,
               "normal displacement difference u_n, body 1 minus body 2",
               &Solution::displacement_n},
    FieldEntry{"undeformed_distance", Dimension::length,
               "distance h of the undeformed bodies; infinite where no contact is possible",
               &Solution::undeformed_distance},
    FieldEntry{"gap", Dimension::length, "gap of the deformed bodies, e = h + u_n - approach",
               &Solution::gap},
    FieldEntry{"slip_x", Dimension::length,
               "slip distance s_x of the step, body 1 relative to body 2", &Solution::slip_x},
    FieldEntry{"slip_y", Dimension::length,
               "slip distance s_y of the step, body 1 relative to body 2", &Solution::slip_y},
};

constexpr std::array kVelocityFields = {
    VelocityFieldEntry{
        "relative_slip_velocity_x",
        "slip velocity in x, body 1 relative to body 2: s_x V/dq, in a shift s_x over its duration",
        &Solution::slip_x},
    VelocityFieldEntry{
        "relative_slip_velocity_y",
        "slip velocity in y, body 1 relative to body 2: s_y V/dq, in a shift s_y over its duration",
        &Solution::slip_y},
};

constexpr std::string_view kFrictionPowerDescription =
    "friction_work V/dq, in a shift over its duration; not positive; of steps with a velocity or a "
    "duration";

constexpr auto kAlways = AppliesTo::every_problem;
constexpr std::array kQuantities = {
    QuantityEntry{"normal_force", Dimension::force, kAlways,
                  "F_n = dx dy sum p_n, of surfaces that adhere less adhesive_force; with Hertz's "
                  "patch of fastsim and fastrip that of the ellipse",
                  &Report::normal_force},
    QuantityEntry{"approach", Dimension::length, kAlways, "approach of the bodies",
                  &Report::approach},
    QuantityEntry{"force_x", Dimension::force, kAlways, "F_x = dx dy sum p_x, on body 1",
                  &Report::force_x},
    QuantityEntry{"force_y", Dimension::force, kAlways, "F_y = dx dy sum p_y, on body 1",
                  &Report::force_y},
    QuantityEntry{"moment_z", Dimension::moment, kAlways, "M_z = dx dy sum (x p_y - y p_x)",
                  &Report::moment_z},
    QuantityEntry{"shift_x", Dimension::length, AppliesTo::shift,
                  "rigid shift of the step in x, body 1 relative to body 2", &Report::rigid_x},
    QuantityEntry{"shift_y", Dimension::length, AppliesTo::shift,
                  "rigid shift of the step in y, body 1 relative to body 2", &Report::rigid_y},
    QuantityEntry{"rotation", Dimension::angle, AppliesTo::shift,
                  "rigid rotation of the step about z", &Report::rotation},
    QuantityEntry{"shift_total_x", Dimension::length, AppliesTo::shift,
                  "sum of shift_x over all steps so far", &Report::shift_total_x, false},
    QuantityEntry{"shift_total_y", Dimension::length, AppliesTo::shift,
                  "sum of shift_y over all steps so far", &Report::shift_total_y, false},
    QuantityEntry{"friction_work_total", Dimension::energy, AppliesTo::shift,
                  "sum of friction_work over all shifts so far: less what they dissipated",
                  &Report::friction_work_total, false},
    QuantityEntry{"creepage_x", Dimension::none, AppliesTo::rolling, "creepage in x",
                  &Report::rigid_x},
    QuantityEntry{"creepage_y", Dimension::none, AppliesTo::rolling, "creepage in y",
                  &Report::rigid_y},
    QuantityEntry{"spin", Dimension::angle_per_length, AppliesTo::rolling, "spin creepage",
                  &Report::rotation},
    QuantityEntry{
        "max_pressure", Dimension::traction, kAlways,
        "greatest pressure; with Hertz's patch of fastsim and fastrip that of the ellipse",
        &Report::max_pressure},
    QuantityEntry{"elements_contact", Dimension::none, kAlways, "elements in contact",
                  &Report::elements_contact},
    QuantityEntry{"elements_adhesion", Dimension::none, kAlways, "elements in adhesion",
                  &Report::elements_adhesion},
    QuantityEntry{"elements_slip", Dimension::none, kAlways, "elements in slip",
                  &Report::elements_slip},
    QuantityEntry{"elements_plastic", Dimension::none, kAlways,
                  "elements where a layer between the bodies yields", &Report::elements_plastic,
                  false, true},
    QuantityEntry{"elements_yielding", Dimension::none, kAlways,
                  "elements where a surface yields: their pressure is the hardness",
                  &Report::elements_yielding, false, true},
    QuantityEntry{"adhesive_force", Dimension::force, kAlways,
                  "of surfaces that adhere dx dy sum of the adhesive stress",
                  &Report::adhesive_force, false, true},
    QuantityEntry{"elastic_energy", Dimension::energy, kAlways, "dx dy/2 sum p.u",
                  &Report::elastic_energy},
    QuantityEntry{"friction_work", Dimension::energy, kAlways,
                  "dx dy sum (p_x s_x + p_y s_y), of steady rolling to second order from the "
                  "forces; not positive",
                  &Report::friction_work},
    QuantityEntry{"friction_coefficient", Dimension::none, kAlways,
                  "mu of the force ratios: static, of a local coefficient the mean over F_n",
                  &Report::friction_coefficient},
    QuantityEntry{"shear_strength", Dimension::traction, kAlways,
                  "tau_0 of the traction bound tau_0 + mu p_n", &Report::shear_strength, false,
                  true},
    QuantityEntry{"iterations_normal", Dimension::none, kAlways, "iterations of the normal problem",
                  &Report::iterations_normal},
    QuantityEntry{"iterations_tangential", Dimension::none, kAlways,
                  "iterations of the tangential problem", &Report::iterations_tangential},
    QuantityEntry{"iterations_outer", Dimension::none, kAlways,
                  "outer (Panagiotopoulos) iterations", &Report::iterations_outer},
    QuantityEntry{"matrix_products", Dimension::none, kAlways,
                  "products with the influence coefficients", &Report::matrix_products},
    QuantityEntry{"matrix_products_coarse", Dimension::none, kAlways,
                  "the same on coarser grids, where a large grid takes its start from them",
                  &Report::matrix_products_coarse, false},
    QuantityEntry{"first_order_rows", Dimension::none, AppliesTo::rolling,
                  "of rolling to second order the share of the rows that are of first order at "
                  "their leading edge",
                  &Report::first_order_rows, false, true},
    QuantityEntry{"residual", Dimension::none, kAlways,
                  "how far the result is from the contact conditions, recomputed independently",
                  &Report::residual},
    QuantityEntry{"seconds", Dimension::time, kAlways, "wall time of the step", &Report::seconds},
};

struct ProblemName {
  TangentialProblem problem;
  std::string_view name;
};
constexpr std::array kProblems = {
    ProblemName{TangentialProblem::none, "none"},
    ProblemName{TangentialProblem::shift, "shift"},
    ProblemName{TangentialProblem::transient_rolling, "transient_rolling"},
    ProblemName{TangentialProblem::steady_rolling, "steady_rolling"},
};

struct InteriorQuantityEntry {
  std::string_view name;
  Dimension dimension;
  std::string_view description;
  InteriorGreatest InteriorSummary::*greatest;
};
constexpr std::array kInterior = {
    InteriorQuantityEntry{"max_von_mises", Dimension::traction,
                          "greatest equivalent stress of von Mises inside the bodies",
                          &InteriorSummary::von_mises},
    InteriorQuantityEntry{"max_von_mises_depth", Dimension::length, "its depth",
                          &InteriorSummary::von_mises},
    InteriorQuantityEntry{"max_tresca", Dimension::traction,
                          "greatest equivalent stress of Tresca inside the bodies",
                          &InteriorSummary::tresca},
    InteriorQuantityEntry{"max_tresca_depth", Dimension::length, "its depth",
                          &InteriorSummary::tresca},
    InteriorQuantityEntry{"max_dang_van", Dimension::traction,
                          "greatest equivalent stress of Dang Van inside the bodies",
                          &InteriorSummary::dang_van},
    InteriorQuantityEntry{"max_dang_van_depth", Dimension::length, "its depth",
                          &InteriorSummary::dang_van},
    InteriorQuantityEntry{"max_crossland", Dimension::traction,
                          "greatest equivalent stress of Crossland inside the bodies",
                          &InteriorSummary::crossland},
    InteriorQuantityEntry{"max_crossland_depth", Dimension::length, "its depth",
                          &InteriorSummary::crossland},
};
constexpr auto kInteriorNames = [] {
  std::array<std::string_view, kInterior.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kInterior[i].name;
  return names;
}();

double interior_value(const InteriorQuantityEntry& entry, const StepReport& report) {
  const InteriorGreatest* greatest = nullptr;
  for (const InteriorSummary& summary : report.interior) {
    const InteriorGreatest& here = summary.*(entry.greatest);
    if (here.by_depth.empty()) continue;
    if (greatest == nullptr || here.value > greatest->value) greatest = &here;
  }
  if (greatest == nullptr) return std::numeric_limits<double>::quiet_NaN();
  return entry.dimension == Dimension::length ? std::fabs(greatest->z) : greatest->value;
}

// The description of a number by its name.
struct NumberText {
  Dimension dimension = Dimension::none;
  std::string_view description{};
};
NumberText number_text(std::string_view name) {
  name = without_side(name);
  if (name == kFrictionPowerName) return {Dimension::power, kFrictionPowerDescription};
  NumberText text;
  const auto is_in = [&](const auto* entry) {
    if (entry != nullptr) text = {entry->dimension, entry->description};
    return entry != nullptr;
  };
  const bool known = is_in(find_error(name)) || is_in(find_by_name(kInterior, name)) ||
                     is_in(find_surface_number(name)) || is_in(find_by_name(kQuantities, name)) ||
                     is_in(find_wheel_entry(name)) || is_in(find_contact_entry(name));
  return known ? text : NumberText();
}

// The same of a field.
NumberText field_text(std::string_view name) {
  if (name == kDivisionName) return {{}, kDivisionDescription};
  if (const FieldEntry* entry = find_field(name)) return {entry->dimension, entry->description};
  const VelocityFieldEntry* velocity = find_by_name(kVelocityFields, name);
  return velocity == nullptr ? NumberText()
                             : NumberText{Dimension::velocity, velocity->description};
}

}  // namespace

std::string_view problem_name(TangentialProblem problem) {
  for (const ProblemName& entry : kProblems)
    if (entry.problem == problem) return entry.name;
  return "";
}

std::optional<TangentialProblem> problem_from_name(std::string_view name) {
  for (const ProblemName& entry : kProblems)
    if (entry.name == name) return entry.problem;
  return std::nullopt;
}

std::string_view outcome_name(Outcome outcome) {
  return outcome == Outcome::converged ? "converged" : "not_converged";
}

std::span<const FieldEntry> field_table() { return kFields; }
std::span<const QuantityEntry> quantity_table() { return kQuantities; }

std::span<const VelocityFieldEntry> velocity_field_table() { return kVelocityFields; }

double slip_rate(const StepInput& input) { return slip_rate(input.tangential); }

std::vector<std::string> field_names() {
  StepInput rolling;
  rolling.tangential.problem = TangentialProblem::steady_rolling;
  rolling.tangential.step = 1.0;
  rolling.tangential.velocity = 1.0;
  return field_names(rolling);
}

std::vector<std::string> field_names(const StepInput& input) {
  std::vector<std::string> names;
  for (const FieldEntry& entry : kFields) names.emplace_back(entry.name);
  if (slip_rate(input) > 0.0)
    for (const VelocityFieldEntry& entry : kVelocityFields) names.emplace_back(entry.name);
  names.emplace_back(kDivisionName);
  return names;
}

const FieldEntry* find_field(std::string_view name) {
  for (const std::span<const FieldEntry> table :
       {field_table(), surface_field_table(), row_field_table()})
    if (const FieldEntry* entry = find_by_name(table, name)) return entry;
  return nullptr;
}

Dimension field_dimension(std::string_view name) { return field_text(name).dimension; }

std::string_view field_description(std::string_view name) { return field_text(name).description; }

bool QuantityEntry::applies(TangentialProblem problem) const {
  return applies_to == AppliesTo::every_problem ||
         (applies_to == AppliesTo::rolling) == is_rolling(problem);
}

double QuantityEntry::get(const StepReport& report) const {
  return std::visit([&](auto member) { return static_cast<double>(report.*member); }, value);
}

std::span<const std::string_view> interior_quantity_names() { return kInteriorNames; }

double quantity(const StepReport& report, const StepInput& input, std::string_view name) {
  if (const auto* interior = find_by_name(kInterior, name))
    return interior_value(*interior, report);
  if (const auto* surface = find_surface_number(name)) return surface_number(*surface, report);
  if (name == kFrictionPowerName && slip_rate(input) > 0.0)
    return report.friction_work * slip_rate(input);
  if (name == kFrictionPowerName)
    throw InputError("a step without a rolling velocity, or a duration, has no quantity \"" +
                     std::string(name) + "\"");
  if (const ErrorEntry* const error = find_error(name)) return error_of(*error, input, report);
  const QuantityEntry* entry = find_by_name(kQuantities, name);
  if (entry == nullptr)
    throw InputError("there is no quantity \"" + std::string(name) + "\"; " +
                     near_words(name, quantity_names(), kAllNames));
  if (!entry->applies(input.tangential.problem))
    throw InputError("a step with the tangential problem \"" +
                     std::string(problem_name(input.tangential.problem)) + "\" has no quantity \"" +
                     std::string(name) + "\"");
  return entry->get(report);
}

bool has_quantity(const StepInput& input, std::string_view name) {
  if (name == kFrictionPowerName) return slip_rate(input) > 0.0;
  const QuantityEntry* entry = find_by_name(kQuantities, name);
  return entry != nullptr && entry->applies(input.tangential.problem);
}

NamedNumbers step_numbers(const StepInput& input, const StepReport& report) {
  static const std::vector<std::string> names = quantity_names();
  NamedNumbers numbers;
  for (const std::string& name : names) {
    const bool of_step = has_quantity(input, name) || find_surface_number(name) != nullptr ||
                         find_by_name(kInterior, name) != nullptr;
    if (!of_step) continue;
    const double value = quantity(report, input, name);
    const QuantityEntry* entry = find_by_name(kQuantities, name);
    const bool none = entry != nullptr && entry->only_positive && !(value > 0.0);
    if (!std::isnan(value) && !none) numbers[name] = value;
  }
  for (const ErrorEntry& entry : error_table())
    if (const double value = error_of(entry, input, report); !std::isnan(value))
      numbers[std::string(entry.name)] = value;
  return numbers;
}

std::string_view quantity_description(std::string_view name) {
  return number_text(name).description;
}

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const QuantityEntry& entry : kQuantities) names.emplace_back(entry.name);
  names.emplace_back(kFrictionPowerName);
  for (const std::string_view name : kInteriorNames) names.emplace_back(name);
  for (const SurfaceNumberEntry& entry : surface_number_table()) names.emplace_back(entry.name);
  for (const ErrorEntry& entry : error_table()) names.emplace_back(entry.name);
  return names;
}

Dimension quantity_dimension(std::string_view name) { return number_text(name).dimension; }

std::string markdown_row(std::string_view name, Dimension dimension, std::string_view description,
                         Units units) {
  return fmt::format("| `{}` | {} | {} |\n", name, unit_text(dimension, units), description);
}

std::string field_table_markdown(Units units) {
  std::string text = "| Field | Unit | Description |\n|---|---|---|\n";
  std::vector<std::string_view> names;
  for (const FieldEntry& entry : kFields) names.push_back(entry.name);
  for (const VelocityFieldEntry& entry : kVelocityFields) names.push_back(entry.name);
  names.push_back(kDivisionName);
  for (const FieldEntry& entry : surface_field_table()) names.push_back(entry.name);
  for (const std::string_view name : names)
    text += markdown_row(
        name, field_dimension(name),
        name == kDivisionName ? kPlasticDivisionDescription : field_description(name), units);
  text += "\n| Attribute of a step | Unit | Description |\n|---|---|---|\n";
  for (const std::string& name : quantity_names())
    text += markdown_row(name, quantity_dimension(name), quantity_description(name), units);
  return text;
}

// Units as texts.
std::string_view unit_text(Dimension dimension, Units units) {
  struct UnitTexts {
    std::string_view mm, si;
  };
  constexpr std::array<UnitTexts, 16> kTexts = {{
      {"-", "-"},              // none
      {"mm", "m"},             // length
      {"rad", "rad"},          // angle
      {"rad/mm", "rad/m"},     // angle_per_length
      {"N/mm^2", "Pa"},        // traction
      {"N", "N"},              // force
      {"N mm", "N m"},         // moment
      {"N mm", "J"},           // energy
      {"N mm/s", "W"},         // power
      {"mm/s", "m/s"},         // velocity
      {"s", "s"},              // time
      {"mm^2", "m^2"},         // area
      {"N/(mm s)", "W/m^2"},   // power_density
      {"degrees", "degrees"},  // temperature
      {"N/mm", "N/m"},         // stiffness
      {"mm^3", "m^3"},         // volume
  }};
  static_assert(kTexts.size() == static_cast<std::size_t>(Dimension::volume) + 1);
  const UnitTexts& texts = kTexts.at(static_cast<std::size_t>(dimension));
  return units == Units::si ? texts.si : texts.mm;
}

std::string_view units_name(Units units) { return units == Units::si ? "SI" : "N-mm-s"; }

std::optional<Units> units_from_name(std::string_view name) {
  if (name == units_name(Units::si)) return Units::si;
  if (name == units_name(Units::n_mm_s)) return Units::n_mm_s;
  return std::nullopt;
}

}  // namespace slipfield
