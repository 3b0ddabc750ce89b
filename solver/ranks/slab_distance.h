// SPDX-License-Identifier: Apache-2.0
// The undeformed distance on the rows of one rank.
#pragma once

#include <vector>

#include "solver/geometry.h"

namespace slipfield {

// As undeformed_distance(), of this rank's rows alone. A rough surface is the one of a single
// process to rounding: its waves are summed by FFTW's distributed transform, and no rank holds all
// of it.
// Together.
std::vector<double> slab_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                  const CombinedMaterial& material);

}  // namespace slipfield
