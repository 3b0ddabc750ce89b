// SPDX-License-Identifier: Apache-2.0
// Heights that were sampled on a grid of their own, at the element centres of another
// (THEORY.md 3.6).
#pragma once

#include <array>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

// bicubic: the spline of both directions (cubic_spline.h), which needs finite samples.
enum class Interpolation { bilinear, bicubic };

struct HeightsSampling {
  std::array<double, 2> spacing{};  // dx, dy > 0
  std::array<double, 2> origin{};   // lower left corner of the samples' cells, as of a grid
  Interpolation interpolation = Interpolation::bilinear;
};

// Positions [length] of the samples, as the elements of a grid.
Grid sample_grid(const HeightsSampling& sampling, int mx, int my);

// The samples (my rows of mx) at the centres of `grid`, which lie between the samples. Bilinear, a
// centre next to an infinite sample gets infinity; on another sample, to 1e-9 of the spacing, that
// sample.
std::vector<double> sample_heights(const std::vector<double>& samples, const Grid& sampled,
                                   Interpolation interpolation, const Grid& grid);

}  // namespace slipfield
