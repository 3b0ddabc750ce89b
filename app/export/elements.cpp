// SPDX-License-Identifier: Apache-2.0
#include "app/export/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"

namespace slipfield {

Window whole_window(const Grid& grid) { return {0, 0, grid.mx, grid.my}; }

void require_on_grid(const std::array<double, 2>& at, const Grid& grid, const std::string& file) {
  const double x1 = grid.x0 + grid.mx * grid.dx;
  const double y1 = grid.y0 + grid.my * grid.dy;
  const auto [x, y] = at;
  if (x >= grid.x0 && x <= x1 && y >= grid.y0 && y <= y1) return;
  throw InputError(fmt::format(
      "{}: --at {:g},{:g} is not on the grid; accepted: x from {:g} to {:g}, y from {:g} to {:g}",
      file, x, y, grid.x0, x1, grid.y0, y1));
}

int element_at(double place, double origin, double size, int count) {
  constexpr double kBetweenElements = 1.0e-6;  // a place between two elements is in the second one
  const double elements = std::floor((place - origin) / size + kBetweenElements);
  return static_cast<int>(std::clamp(elements, 0.0, count - 1.0));
}

std::optional<std::array<double, 2>> middle_of_pressure(const std::vector<double>& pressure,
                                                        const Grid& grid) {
  double sum = 0.0;
  double x = 0.0;
  double y = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double value = pressure[grid.index(ix, iy)];
      sum += value;
      x += value * grid.x(ix);
      y += value * grid.y(iy);
    }
  if (!(sum > 0.0)) return std::nullopt;
  const std::array<double, 2> centroid = {x / sum, y / sum};
  const int ix = element_at(centroid[0], grid.x0, grid.dx, grid.mx);
  const int iy = element_at(centroid[1], grid.y0, grid.dy, grid.my);
  if (pressure[grid.index(ix, iy)] > 0.0) return centroid;
  const auto greatest = std::max_element(pressure.begin(), pressure.end()) - pressure.begin();
  return std::array<double, 2>{grid.x(static_cast<int>(greatest % grid.mx)),
                               grid.y(static_cast<int>(greatest / grid.mx))};
}

}  // namespace slipfield
