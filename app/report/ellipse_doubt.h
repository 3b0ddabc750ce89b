// SPDX-License-Identifier: Apache-2.0
// Contacts that are longer or wider than the circle that the limits of the shakedown map are of
// (THEORY.md 14.4).
#pragma once

#include <string>
#include <vector>

#include "solver/grid.h"
#include "solver/solution.h"

namespace slipfield {

// Width (along y) over length (along x) of the elements in contact; 0 for one row, or without
// contact.
double width_over_length(const Grid& grid, const std::vector<ElementState>& division);

// One sentence without an end where the ratio is beyond 2 or below a half, else empty.
std::string ellipse_doubt(double width_over_length);

}  // namespace slipfield
