// SPDX-License-Identifier: Apache-2.0
// Doubts about temperatures computed with heat that flows into the depth only, where it would also
// flow sideways (THEORY.md 15.1).
#pragma once

#include <string>

#include "solver/solution.h"

namespace slipfield {

// For a rolling step: one sentence without an end where the Peclet number is low, else empty.
std::string heat_doubt(const StepReport& report);

// For a shift, in which the contact stays on one of the bodies. Empty where no heat flows.
std::string standing_body_doubt(const StepReport& report);

}  // namespace slipfield
