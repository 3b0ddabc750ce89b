// SPDX-License-Identifier: Apache-2.0
// What a step of a case with `wheel_rail` changes of the section as the step before had it.
#pragma once

#include <string_view>

#include "io/yaml/tree.h"

namespace slipfield {

// The name of a resting step in a state. It cannot be a key of a case, and readers of the state skip it.
inline constexpr std::string_view kRestingStep = "step\n(resting)";

// Keys of `over` replace those of `state`, maps key by key. Of two that exclude each other the one
// given drops the other: the vertical force the height, and both wheels' the roll; the longitudinal
// force the pitch velocity; the gauge the rail's origin; one rail's irregularity that of both. The
// step of transient rolling rests while another problem is in force.
// `side`: that in force where neither of them gives it.
void override_state(YamlNode& state, const YamlNode& over, std::string_view side = {});

}  // namespace slipfield
