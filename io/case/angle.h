// SPDX-License-Identifier: Apache-2.0
// Angles: degrees in the case file, radians in the problem.
#pragma once

#include <string>

namespace slipfield {

// The angle less its whole turns.
double radians_from_degrees(double degrees);

// The shortest text of the degrees that radians_from_degrees turns into just this angle.
std::string degrees_text(double radians);

}  // namespace slipfield
