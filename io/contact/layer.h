// SPDX-License-Identifier: Apache-2.0
// What of an input case of CONTACT lies between the bodies.
#pragma once

#include "io/contact/case.h"
#include "solver/problem.h"

namespace slipfield {

// The third layer of M = 4, which is elastic where TAU_C0 is 0 or less, or 1e10 or more, and the
// sheet of B = 1.
ContactLayer input_layer(const InputCase& input);

}  // namespace slipfield
