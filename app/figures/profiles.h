// SPDX-License-Identifier: Apache-2.0
// Curves of profiles for figures, as JSON for slipfield/figures/wheel.py: results only name the
// profile files, and only this program can read and place them.
#pragma once

#include <memory>
#include <string>

#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/reader.h"
#include "io/result/sweep_table.h"
#include "io/result/wheel/table.h"
#include "solver/wheel_rail/profile.h"

namespace slipfield {

// Returns the case of a wheel on a rail stored in its result or sweep (a sweep's keys then have the
// values of the case). `name`: of the file. Throws InputError if the case has no wheel, or if its
// profiles can no longer be read.
std::shared_ptr<const WheelRailCase> wheel_case_of(const ResultInfo& info, const std::string& name);

// Returns wheel and rail of each side in step `number` (0: the last) in track coordinates, y to the
// right and z down [mm]: {"sides": [{"side", "rail": [[y, z], ...], "wheel"}]}. Throws InputError
// like wheel_case_of().
std::string placed_profiles(const ResultSteps& wheel, int number);

// Returns both profiles of each side as they are, for a sweep over a wheelset's lateral position.
std::string lateral_profiles(const SweepTable& table, const ResultInfo& info,
                             const std::string& name);
// Returns whether the sweep is over the lateral position alone.
bool has_contact_lines(const SweepTable& table);

struct WantedProfiles {
  int step = 0;          // 0: the last
  bool placed = false;   // of a wheel on a rail in that step
  bool lateral = false;  // of a sweep with contact lines
  int point = 0;         // of a sweep with fields; 0: the whole file
};
// Returns the JSON for a figure of the result `path`, which is read with every check, so that a
// damaged file is refused here. Empty if no profiles are wanted and, with a warning, if they can no
// longer be read: the figure is then drawn without them.
std::string result_profiles(const std::string& path, const WantedProfiles& wanted);

// Returns a profile on its own, with its slope [degrees] and curvature [1/m]:
// {"profile": {"name", "role", "points", "curve": [[y, z, slope, curvature]], "length", "notes"}}.
std::string profile_curves(const Profile& profile, const std::string& name);

}  // namespace slipfield
