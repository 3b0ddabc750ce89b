// SPDX-License-Identifier: Apache-2.0
// What of CONTACT a case of this program cannot state: named with its line.
#pragma once

#include "io/contact/case.h"

namespace slipfield {

// Errors for what changes the solution, warnings for what is only left out of the results, given
// once in a row of cases. `before`: the case before it, null for the first.
void check_support(const InputCase& input, const InputCase* before, CaseDiagnostics& diagnostics);

// The same of its friction alone.
void check_friction_support(const InputCase& input, CaseDiagnostics& diagnostics);

// The grid and the geometry can be stated, whatever else is not.
bool supports_surface(const InputCase& input);

}  // namespace slipfield
