// SPDX-License-Identifier: Apache-2.0
// wheel_rail: two profiles, a track and a wheelset's positions, instead of grid, geometry, normal
// and tangential (io/CASE.md).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/case/reader.h"
#include "io/case/sections.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

struct ProfileSource {
  std::filesystem::path path;  // absolute, or as the case has it
  ProfileChanges changes;
  std::shared_ptr<const Profile> profile;
};

struct WheelRailCase {
  ProfileSource wheel;
  ProfileSource rail;
  PatchSettings patches;
  std::vector<WheelsetStep> steps;  // each with one wheel or two

  // As many as a step has wheels at most.
  [[nodiscard]] std::vector<WheelRailSearch> searches() const;
};

// The rest of a case that has `wheel_rail`; `file` holds its title and units. Its problem gets the
// bodies (upper: the rail), the solver's settings, one step with the friction for each position,
// and the grid of the largest contact that the undeformed bodies show. Nothing where the
// diagnostics are not empty at the end.
std::optional<CaseFile> read_wheel_rail(CaseSection& root, const std::filesystem::path& path,
                                        const SweepPosition& position, HeightsFiles& files,
                                        CaseFile file);

// Of a case with `wheel_rail` the section and its steps, for write_case().
std::string wheel_rail_text(const CaseFile& file);

}  // namespace slipfield
