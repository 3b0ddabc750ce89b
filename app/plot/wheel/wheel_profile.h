// SPDX-License-Identifier: Apache-2.0
// Figure of a wheel's or a rail's profile: its curve and the measured points, its slope and its
// curvature.
#pragma once

#include <filesystem>

#include "io/pending_file.h"
#include "solver/wheel_rail/profile.h"

namespace slipfield {

// Canonical profile of the file `source`, which may not be replaced. Errors as write_figure().
void write_profile_figure(const Profile& profile, const std::filesystem::path& source,
                          const std::filesystem::path& path, Overwrite overwrite);

}  // namespace slipfield
