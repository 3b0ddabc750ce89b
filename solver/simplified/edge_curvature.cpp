// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/edge_curvature.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipfield {

std::optional<EdgeCurvature> edge_curvature(const std::vector<double>& distance, const Grid& grid) {
  if (grid.mx < 3 || grid.my < 3) return std::nullopt;
  const auto deepest =
      static_cast<int>(std::min_element(distance.begin(), distance.end()) - distance.begin());
  const int ix = deepest % grid.mx;
  const int iy = deepest / grid.mx;
  const int middle_x = std::clamp(ix, 1, grid.mx - 2);
  const int middle_y = std::clamp(iy, 1, grid.my - 2);
  if (middle_x == ix && middle_y == iy) return std::nullopt;
  const auto h = [&](int x, int y) { return distance[grid.index(middle_x + x, middle_y + y)]; };
  const double bend_x = h(-1, 0) - 2.0 * h(0, 0) + h(1, 0);
  const double bend_y = h(0, -1) - 2.0 * h(0, 0) + h(0, 1);
  const double twist = h(1, 1) - h(1, -1) - h(-1, 1) + h(-1, -1);
  const double a = bend_x / (2.0 * grid.dx * grid.dx);
  const double b = bend_y / (2.0 * grid.dy * grid.dy);
  const double c = twist / (4.0 * grid.dx * grid.dy);
  const double mean = 0.5 * (a + b);
  const double apart = std::hypot(0.5 * (a - b), 0.5 * c);
  if (!std::isfinite(mean) || !std::isfinite(apart)) return std::nullopt;
  double highest = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) highest = std::max(highest, std::abs(h(x, y)));
  constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();
  const double spacing = std::min(grid.dx, grid.dy);
  return EdgeCurvature{mean - apart, mean + apart, kRounding * highest / (spacing * spacing)};
}

}  // namespace slipfield
