// SPDX-License-Identifier: Apache-2.0
// The undeformed distance on the rows of one rank.
#pragma once

#include <vector>

#include "solver/geometry.h"

namespace slipfield {

// As undeformed_distance(), for this rank's rows only. A rough surface equals that of a single
// process to rounding: FFTW's distributed transform sums its waves, and no rank holds the whole
// surface. Together.
std::vector<double> slab_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                  const CombinedMaterial& material);

}  // namespace slipfield
