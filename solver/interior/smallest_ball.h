// SPDX-License-Identifier: Apache-2.0
// The smallest ball that holds points of five dimensions, those of a stress deviator (THEORY.md
// 12.6).
#pragma once

#include <array>
#include <vector>

namespace slipfield {

using DeviatorPoint = std::array<double, 5>;

struct Ball {
  DeviatorPoint centre{};
  double radius = 0.0;
};

// Exact to rounding: no point lies outside the ball by more than 1e-9 of its radius, and its centre
// is in the convex hull of points on its surface. Of no points the ball of radius 0 about 0.
Ball smallest_ball(const std::vector<DeviatorPoint>& points);

}  // namespace slipfield
