// SPDX-License-Identifier: Apache-2.0
// Where the inverse symbols that precondition steady rolling are cut off (THEORY.md 2.7).
#pragma once

#include <cmath>

#include "solver/host_device.h"

namespace slipfield {

// Part of the greatest |a| below which the symbol a of A(x) - A(x + offset) is not inverted, on a
// grid of the given extents and spacings [length]. a/max|a| is about k_s/|k|, s along the offset;
// its least on the grid is that of half a wave over the extent along s and of one of two elements
// across. What is below that is due to waves longer than the grid, which the contact does not have.
// Where the offset is oblique to the elements, rolling at the angle chi, a has no zeros along
// k_s = 0, as shorter waves fold into it; 0.06 sin 2 chi was the best of what was measured.
SLIPFIELD_HD inline double steady_share(double extent_x, double extent_y, double dx, double dy,
                                        double offset_x, double offset_y) {
  constexpr double kLeast = 2.0e-4;  // single precision is to hold the inverse
  constexpr double kMost = 0.1;
  constexpr double kOblique = 0.06;
  constexpr double kTwoOverPi = 0.6366197723675814;
  const double x = std::fabs(offset_x);
  const double y = std::fabs(offset_y);
  const double straight = kTwoOverPi * (x * dy + y * dx) / (x * extent_x + y * extent_y);
  const double oblique = kOblique * 2.0 * x * y / (x * x + y * y);
  return std::fmin(std::fmax(std::fmax(straight, oblique), kLeast), kMost);
}

}  // namespace slipfield
