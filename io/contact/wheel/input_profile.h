// SPDX-License-Identifier: Apache-2.0
// Profiles of an input case of CONTACT's wheel-rail module, in the terms of the case file.
#pragma once

#include <filesystem>
#include <string>

#include "io/contact/wheel/wheel_input.h"

namespace slipfield {

// The section `rail` or `wheel` as a map. `folder`: of the profiles, as seen from the case file.
std::string rail_text(const WheelInput& input, const std::filesystem::path& folder);
// z = 0 of its profile is at YTAPE, where NOMRADW is the radius.
std::string wheel_text(const WheelInput& input, const std::filesystem::path& folder);

// z of the wheel's profile at YTAPE [mm]; 0 if no YTAPE is given or it is not on the profile, as in
// CONTACT. InputError where the profile cannot be read.
double tape_height(const WheelInput& input);

}  // namespace slipfield
