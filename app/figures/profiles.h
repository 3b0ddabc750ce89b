// SPDX-License-Identifier: Apache-2.0
// The curves of profiles for figures, as JSON that slipfield/figures/wheel.py draws: results hold
// the names of the profiles' files only, and this program knows how to read them and to place them.
#pragma once

#include <memory>
#include <string>

#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/reader.h"
#include "io/result/sweep_table.h"
#include "io/result/wheel/table.h"
#include "solver/wheel_rail/profile.h"

namespace slipfield {

// The case of a wheel on a rail as its result or its sweep (whose keys then have the values of the
// case) holds it. `name`: of the file. Throws InputError where it has no wheel, or its profiles
// cannot be read any more.
std::shared_ptr<const WheelRailCase> wheel_case_of(const ResultInfo& info, const std::string& name);

// Wheel and rail of each side in track coordinates, y to the right and z down [mm], in step
// `number` (0: the last): {"sides": [{"side", "rail": [[y, z], ...], "wheel"}]}. Throws InputError
// as wheel_case_of().
std::string placed_profiles(const ResultSteps& wheel, int number);

// Both profiles of each side as they are, of a sweep over the lateral position of a wheelset.
std::string lateral_profiles(const SweepTable& table, const ResultInfo& info,
                             const std::string& name);
// It is over the lateral position alone.
bool has_contact_lines(const SweepTable& table);

struct WantedProfiles {
  int step = 0;          // 0: the last
  bool placed = false;   // of a wheel on a rail in that step
  bool lateral = false;  // of a sweep with contact lines
  int point = 0;         // of a sweep with fields; 0: the whole file
};
// The JSON for a figure of the result `path`, read for it as by every command, so that a file that
// is damaged is refused here. Empty where none is wanted, and, with a warning, where the profiles
// cannot be read any more: the figure is then drawn without them.
std::string result_profiles(const std::string& path, const WantedProfiles& wanted);

// A profile on its own, with its slope [degrees] and curvature [1/m]:
// {"profile": {"name", "role", "points", "curve": [[y, z, slope, curvature]], "length", "notes"}}.
std::string profile_curves(const Profile& profile, const std::string& name);

}  // namespace slipfield
