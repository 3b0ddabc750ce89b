// SPDX-License-Identifier: Apache-2.0
// Temperatures of heat that flows into the depth only, where it would flow sideways, too
// (THEORY.md 15.1).
#pragma once

#include <string>

#include "solver/solution.h"

namespace slipfield {

// Of a rolling step: one sentence without an end where the Peclet number is low, else empty.
std::string heat_doubt(const StepReport& report);

// Of a shift: the contact stays on one of the bodies. Empty where no heat flows.
std::string standing_body_doubt(const StepReport& report);

}  // namespace slipfield
