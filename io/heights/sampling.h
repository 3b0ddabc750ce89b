// SPDX-License-Identifier: Apache-2.0
// Interpolates heights sampled on one grid at the element centres of another (THEORY.md 3.6).
#pragma once

#include <array>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

// bicubic: spline in both directions (cubic_spline.h); needs finite samples.
enum class Interpolation { bilinear, bicubic };

struct HeightsSampling {
  std::array<double, 2> spacing{};  // dx, dy > 0
  std::array<double, 2> origin{};   // lower left corner of the first sample's cell
  Interpolation interpolation = Interpolation::bilinear;
};

// Positions [length] of the samples, as a grid of elements.
Grid sample_grid(const HeightsSampling& sampling, int mx, int my);

// Returns the samples (my rows of mx) at the centres of `grid`, which must lie between samples.
// Bilinear: a centre next to an infinite sample is infinite; a centre on a sample, to 1e-9 of the
// spacing, takes that sample.
std::vector<double> sample_heights(const std::vector<double>& samples, const Grid& sampled,
                                   Interpolation interpolation, const Grid& grid);

}  // namespace slipfield
