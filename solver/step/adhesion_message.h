// SPDX-License-Identifier: Apache-2.0
// What the message of a step says where the adhesive stress was not found, as the advice to it finds it.
#pragma once

#include <string_view>

namespace slipfield {

inline constexpr std::string_view kAdhesionUnsettled = "the adhesive stress was updated";

}  // namespace slipfield
