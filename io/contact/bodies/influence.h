// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of a CONTACT input case other than the half-space's: C = 4, 9.
#pragma once

#include <filesystem>
#include <string>

#include "io/contact/case.h"

namespace slipfield {

// The section `influence` in one line without a newline; empty for C = 2. `folder`: of the input
// file, relative to that of the case file.
std::string input_influence(const InputCase& input, const std::filesystem::path& folder);

// Reports digits and values that are not supported.
void check_influence_support(const InputCase& input, CaseDiagnostics& diagnostics);

}  // namespace slipfield
