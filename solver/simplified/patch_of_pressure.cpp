// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "solver/error.h"
#include "solver/simplified/patch_estimate.h"

namespace slipfield {

PatchEstimate patch_of(std::vector<double> pressure, const Grid& grid, double approach) {
  PatchEstimate out;
  out.approach = approach;
  int first_x = grid.mx;
  int last_x = -1;
  int first_y = grid.my;
  int last_y = -1;
  std::size_t count = 0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double p = pressure[grid.index(ix, iy)];
      if (!(p > 0.0)) continue;
      out.force += p * grid.element_area();
      out.max_pressure = std::max(out.max_pressure, p);
      first_x = std::min(first_x, ix);
      last_x = std::max(last_x, ix);
      first_y = std::min(first_y, iy);
      last_y = std::max(last_y, iy);
      ++count;
    }
  }
  if (count == 0) throw InputError("no element touches; accepted: a load under which some do");
  const double length = (last_x - first_x + 1) * grid.dx;
  const double width = (last_y - first_y + 1) * grid.dy;
  const double product = static_cast<double>(count) * grid.element_area() / std::numbers::pi;
  out.semi_axis_x = std::sqrt(product * length / width);
  out.semi_axis_y = std::sqrt(product * width / length);
  out.pressure = std::move(pressure);
  return out;
}

}  // namespace slipfield
