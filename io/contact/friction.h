// SPDX-License-Identifier: Apache-2.0
// Friction of an input case of CONTACT in the terms of the case file.
#pragma once

#include <string>

#include "io/contact/case.h"
#include "solver/grid.h"

namespace slipfield {

// Up to this memory distance CONTACT has none.
inline constexpr double kLeastMemory = 1.0e-9;

// The coefficient falls with the slip velocity; it does so after a while.
bool falls(const InputFriction& friction);
bool remembers(const InputFriction& friction);

// The section `friction` as a map, and where its numbers come from.
std::string input_friction(const InputFriction& friction, const Grid& grid);
// Of a wheel on a rail whose rows begin with an inclination, ALPHVF.
std::string inclined_friction(const InputFriction& friction);
std::string friction_remark(const InputFriction& friction);

}  // namespace slipfield
