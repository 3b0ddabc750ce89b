// SPDX-License-Identifier: Apache-2.0
// Converts the friction of a CONTACT input case to the case file.
#pragma once

#include <string>

#include "io/contact/case.h"
#include "solver/grid.h"

namespace slipfield {

// CONTACT ignores a memory distance up to this one.
inline constexpr double kLeastMemory = 1.0e-9;

// static_of: FSTAT, or the law's sum at rest, FREF. slipping_of: the coefficient once something
// slips: FKIN plus the terms of the law that have a velocity.
double static_of(const InputFriction& friction, const InputNumbers& row);
double slipping_of(const InputFriction& friction, const InputNumbers& row);

// falls: the coefficient decreases with the slip velocity. remembers: after a delay. drops: at
// once, as soon as something slips: FSTAT and FKIN differ by more than CONTACT's 0.1 %, or a
// velocity is 0.
bool falls(const InputFriction& friction);
bool remembers(const InputFriction& friction);
bool drops(const InputFriction& friction);

bool same_rows(const InputFriction& friction);

// The section `friction` as a map, with the source of its numbers.
std::string input_friction(const InputFriction& friction, const Grid& grid);
// The friction of a wheel on a rail, whose rows begin with an inclination, ALPHVF.
std::string inclined_friction(const InputFriction& friction);
std::string friction_remark(const InputFriction& friction);

}  // namespace slipfield
