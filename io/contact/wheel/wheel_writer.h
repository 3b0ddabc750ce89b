// SPDX-License-Identifier: Apache-2.0
// The text of a case file for a row of cases of CONTACT's wheel-rail module.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/contact/contact_input.h"
#include "io/contact/wheel/wheel_input.h"

namespace slipfield {

// The cases can be steps of one case file.
bool same_wheel_and_rail(const WheelInput& a, const WheelInput& b);

// `cases`: at least one, supported. `name`: of the input file, `folder`: where its profiles are, as
// seen from the case file.
ConvertedCase write_wheel_inputs(const std::vector<const WheelInput*>& cases,
                                 const std::string& name, const std::filesystem::path& folder);

}  // namespace slipfield
