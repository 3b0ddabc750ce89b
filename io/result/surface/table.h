// SPDX-License-Identifier: Apache-2.0
// Names, units and descriptions of results on request (wear, damage and temperatures of the
// surfaces, spots, the stiffness), and of numbers that only some steps have.
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
const SurfaceNumberEntry* find_surface_number(std::string_view name);  // null for other names

// Its value, or NaN if there is none. T-gamma of steady rolling needs no request; the stiffness is
// that of the sensitivities.
double surface_number(const SurfaceNumberEntry& entry, const StepReport& report);

// Returns whether the case requests the number or it needs no request.
bool has_surface_number(const ContactProblem& problem, const SurfaceNumberEntry& entry);
// The key that requests such a number, as written in a case.
std::string_view request_text(SurfaceNumberEntry::Of of);

// All fields that a result may hold: field_names() and those of the surfaces.
std::vector<std::string> stored_field_names();

// Datasets (my) of a step: one value per row of elements.
std::span<const FieldEntry> row_field_table();
std::vector<std::string> row_field_names();
inline constexpr std::string_view kWearProfileName = "wear_profile";
// The places of the wear profile's rows in the table of a sweep.
inline constexpr std::string_view kWearProfilePlacesName = "wear_profile_y";
inline constexpr std::string_view kWearProfileDescription =
    "depth worn off at each row of elements in all passes";

}  // namespace slipfield
