// SPDX-License-Identifier: Apache-2.0
// What a step of a case with `wheel_rail` changes of the section as the step before had it.
#pragma once

#include "io/yaml/tree.h"

namespace slipfield {

// Keys of `over` replace those of `state`, maps key by key. Of two that exclude each other the one
// given drops the other: the vertical force the height, and both wheels' the roll; the longitudinal
// force the pitch velocity; the gauge the rail's origin; one rail's irregularity that of both.
void override_state(YamlNode& state, const YamlNode& over);

}  // namespace slipfield
