// SPDX-License-Identifier: Apache-2.0
// Friction of an input case of CONTACT in the terms of the case file.
#pragma once

#include <string>

#include "io/contact/case.h"
#include "solver/grid.h"

namespace slipfield {

// Up to this memory distance CONTACT has none.
inline constexpr double kLeastMemory = 1.0e-9;

// FSTAT or what a law adds up to at rest, FREF; and what is left as soon as something slips: FKIN,
// with the terms of a law that have a velocity.
double static_of(const InputFriction& friction, const InputNumbers& row);
double slipping_of(const InputFriction& friction, const InputNumbers& row);

// The coefficient falls with the slip velocity; it does so after a while; it falls at once, as soon
// as something slips: FSTAT and FKIN apart by more than CONTACT's 0.1 %, or a velocity of 0.
bool falls(const InputFriction& friction);
bool remembers(const InputFriction& friction);
bool drops(const InputFriction& friction);

bool same_rows(const InputFriction& friction);

// The section `friction` as a map, and where its numbers come from.
std::string input_friction(const InputFriction& friction, const Grid& grid);
// The friction of a wheel on a rail whose rows begin with an inclination, ALPHVF.
std::string inclined_friction(const InputFriction& friction);
std::string friction_remark(const InputFriction& friction);

}  // namespace slipfield
