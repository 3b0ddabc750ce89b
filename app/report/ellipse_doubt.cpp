// SPDX-License-Identifier: Apache-2.0
#include "app/report/ellipse_doubt.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/surface/shakedown.h"

namespace slipfield {

double width_over_length(const Grid& grid, const std::vector<ElementState>& division) {
  if (grid.my == 1 || division.size() != grid.count()) return 0.0;
  int x_from = grid.mx;
  int x_to = -1;
  int y_from = grid.my;
  int y_to = -1;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (division[grid.index(ix, iy)] == ElementState::exterior) continue;
      x_from = std::min(x_from, ix);
      x_to = std::max(x_to, ix);
      y_from = std::min(y_from, iy);
      y_to = std::max(y_to, iy);
    }
  if (x_to < x_from) return 0.0;
  return (y_to - y_from + 1) * grid.dy / ((x_to - x_from + 1) * grid.dx);
}

std::string ellipse_doubt(double width_over_length) {
  constexpr double kMostRatio = 2.0;
  if (width_over_length > kMostRatio)
    return fmt::format(
        "the contact is {:.2g} times as wide as long, and the shakedown limits are those of a "
        "circle: {:.3g} without friction, {:.3g} of a line across x",
        width_over_length, point_limits(0.0).shakedown, line_limits(0.0).shakedown);
  if (width_over_length > 0.0 && width_over_length < 1.0 / kMostRatio)
    return fmt::format(
        "the contact is {:.2g} times as long as wide, and the shakedown limits are those of a "
        "circle: {:.3g} without friction",
        1.0 / width_over_length, point_limits(0.0).shakedown);
  return {};
}

}  // namespace slipfield
