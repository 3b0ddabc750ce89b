// SPDX-License-Identifier: Apache-2.0
// Names, units and descriptions of what a result holds of a step where its case asks for it: wear,
// damage and temperatures of the surfaces, spots, the stiffness; and numbers that only some steps have.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/field_table.h"
#include "solver/solution.h"

namespace slipfield {

std::span<const FieldEntry> surface_field_table();

struct SurfaceNumberEntry {
  std::string_view name;
  Dimension dimension;
  std::string_view description;
  std::optional<double> SurfaceNumbers::*value;
  // every_case: needs no request.
  enum class Of {
    every_case,
    motion,
    wear,
    rolling_wear,
    shift_wear,
    heat,
    fatigue,
    spots,
    sensitivities
  } of;
};
std::span<const SurfaceNumberEntry> surface_number_table();
const SurfaceNumberEntry* find_surface_number(std::string_view name);  // null: not one of them

// Its value; not a number: there is none. T-gamma of steady rolling needs no request; the stiffness
// is that of the sensitivities.
double surface_number(const SurfaceNumberEntry& entry, const StepInput& input,
                      const StepReport& report);

// The number is one that the case asks for, or that needs no request.
bool has_surface_number(const ContactProblem& problem, const SurfaceNumberEntry& entry);
// What a case needs for such a number, as it is written there.
std::string_view request_text(SurfaceNumberEntry::Of of);

// Every field that a result may hold: field_names() and those of the surfaces.
std::vector<std::string> stored_field_names();

// Datasets (my) of a step: one value for each row of elements.
std::span<const FieldEntry> row_field_table();
std::vector<std::string> row_field_names();
inline constexpr std::string_view kWearProfileName = "wear_profile";
// Next to it in the table of a sweep.
inline constexpr std::string_view kWearProfilePlacesName = "wear_profile_y";
inline constexpr std::string_view kWearProfileDescription =
    "depth worn off at each row of elements in all passes";

}  // namespace slipfield
