// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/interior_request.h"

#include <algorithm>
#include <cmath>

namespace slipfield {
namespace {

// Elements from the first whose centre is at `least` or beyond to the last at `greatest`.
struct Run {
  int first = 0;
  int count = 0;
};

Run centres_between(double least, double greatest, double origin, double spacing, int elements) {
  const double first = std::ceil((least - origin) / spacing - 0.5 - kCentreRounding);
  const double last = std::floor((greatest - origin) / spacing - 0.5 + kCentreRounding);
  const double begin = std::max(first, 0.0);
  const double end = std::min(last + 1.0, static_cast<double>(elements));
  if (!(begin < end)) return {};
  return {static_cast<int>(begin), static_cast<int>(end - begin)};
}

InteriorWindow contact_window(const Grid& grid, const std::vector<ElementState>& division) {
  int ix0 = grid.mx;
  int iy0 = grid.my;
  int ix1 = 0;
  int iy1 = 0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (division[grid.index(ix, iy)] == ElementState::exterior) continue;
      ix0 = std::min(ix0, ix);
      ix1 = std::max(ix1, ix + 1);
      iy0 = std::min(iy0, iy);
      iy1 = std::max(iy1, iy + 1);
    }
  }
  if (ix0 >= ix1) return {0, 0, grid.mx, grid.my};
  return {ix0, iy0, ix1 - ix0, iy1 - iy0};
}

}  // namespace

InteriorWindow interior_window(const InteriorRequest& request, const Grid& grid,
                               const std::vector<ElementState>& division) {
  switch (request.region) {
    case InteriorRegion::contact:
      return contact_window(grid, division);
    case InteriorRegion::grid:
      break;
    case InteriorRegion::box: {
      const Run x = centres_between(request.box_x[0], request.box_x[1], grid.x0, grid.dx, grid.mx);
      const Run y = centres_between(request.box_y[0], request.box_y[1], grid.y0, grid.dy, grid.my);
      return {x.first, y.first, x.count, y.count};
    }
  }
  return {0, 0, grid.mx, grid.my};
}

std::vector<double> linear_depths(double from, double to, int points) {
  std::vector<double> depths;
  for (int k = 0; k < points; ++k)
    depths.push_back(k + 1 == points ? to : from + (to - from) * k / std::max(points - 1, 1));
  return depths;
}

std::vector<double> logarithmic_depths(double from, double to, int points) {
  std::vector<double> depths;
  for (int k = 0; k < points; ++k)
    depths.push_back(k + 1 == points ? to
                                     : from * std::pow(to / from, static_cast<double>(k) /
                                                                      std::max(points - 1, 1)));
  return depths;
}

}  // namespace slipfield
