// SPDX-License-Identifier: Apache-2.0
// Where the bodies touch first, which may be between elements.
#pragma once

#include <vector>

#include "solver/grid.h"

namespace slipfield {

// The least undeformed distance, of each element, by parabolas through the deepest element and
// those next to it: it lies between elements. That of the element where one of these is missing.
double least_distance(const std::vector<double>& distance, const Grid& grid);

}  // namespace slipfield
