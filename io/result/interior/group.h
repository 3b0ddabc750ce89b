// SPDX-License-Identifier: Apache-2.0
// The group `interior` of a step: stresses and displacements inside the bodies (io/RESULT.md).
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/field_table.h"
#include "solver/interior/interior_field.h"

namespace slipfield {

inline constexpr std::string_view kInteriorGroup = "interior";

struct InteriorEntry {
  std::string_view name;  // in the case, and of the dataset
  Dimension dimension;
  std::string_view description;
};
// By enum class InteriorQuantity.
const InteriorEntry& interior_entry(InteriorQuantity quantity);
std::vector<std::string> interior_names();
std::optional<InteriorQuantity> interior_from_name(std::string_view name);

std::string_view body_name(Body body);  // "upper" | "lower", as in the case

// The data that a file holds for one body in one step.
struct InteriorBody {
  Body body = Body::upper;
  std::vector<double> depths;
  std::vector<double> x;  // of the element centres
  std::vector<double> y;
  std::vector<std::string> quantities;  // datasets of the shape (depths, y, x)
  InteriorSummary summary;
  std::vector<double> dang_van_along_y;  // the greatest over the depth; empty: not stored
  std::vector<double> crossland_along_y;
};

// Computes the interior of a step and writes it into the step's group, one depth at a time.
void write_interior(hid_t step, Units units, InteriorField& interior);

// Empty if the step has none. Throws InputError, or Hdf5Error if something is missing.
std::vector<InteriorBody> read_interior(hid_t step, const std::filesystem::path& path);

// The greatest values that were requested, with the names of their quantities.
std::vector<std::pair<std::string_view, const InteriorGreatest*>> greatest_of(
    const InteriorSummary& summary);

// "interior/lower"
std::string interior_path(Body body);

}  // namespace slipfield
