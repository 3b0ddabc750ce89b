// SPDX-License-Identifier: Apache-2.0
#include "io/heights/measures.h"

#include <cmath>
#include <limits>

namespace slipfield {
namespace {

class MeanSquare {
 public:
  void add(double value) {
    if (!std::isfinite(value)) return;
    sum_ += value * value;
    count_ += 1.0;
  }
  [[nodiscard]] double value() const { return count_ > 0.0 ? sum_ / count_ : 0.0; }

 private:
  double sum_ = 0.0;
  double count_ = 0.0;
};

// Heights by column and row; NaN beyond an edge if the grid does not repeat.
struct HeightsOnGrid {
  const std::vector<double>& heights;
  const Grid& grid;

  [[nodiscard]] double at(int ix, int iy) const {
    if (repeats_in_x(grid.boundary)) ix = (ix + grid.mx) % grid.mx;
    if (repeats_in_y(grid.boundary)) iy = (iy + grid.my) % grid.my;
    if (ix < 0 || ix >= grid.mx || iy < 0 || iy >= grid.my)
      return std::numeric_limits<double>::quiet_NaN();
    return heights[grid.index(ix, iy)];
  }
  [[nodiscard]] double curvature(int ix, int iy) const {
    constexpr int kFewest = 3;
    const double twice = 2.0 * at(ix, iy);
    const double xx = (at(ix - 1, iy) - twice + at(ix + 1, iy)) / (grid.dx * grid.dx);
    const double yy = (at(ix, iy - 1) - twice + at(ix, iy + 1)) / (grid.dy * grid.dy);
    if (grid.mx < kFewest && grid.my < kFewest) return 0.0;
    if (grid.my < kFewest) return xx;
    if (grid.mx < kFewest) return yy;
    return 0.5 * (xx + yy);
  }
};

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  double count = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace

HeightMeasures measure_heights(const std::vector<double>& heights, const Grid& grid) {
  const HeightsOnGrid on{heights, grid};
  const double mean = mean_of(heights);
  MeanSquare height;
  MeanSquare slope_x;
  MeanSquare slope_y;
  MeanSquare curvature;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double here = on.at(ix, iy);
      height.add(here - mean);
      if (grid.mx > 1) slope_x.add((on.at(ix + 1, iy) - here) / grid.dx);
      if (grid.my > 1) slope_y.add((on.at(ix, iy + 1) - here) / grid.dy);
      curvature.add(on.curvature(ix, iy));
    }
  }
  return {std::sqrt(height.value()), std::sqrt(slope_x.value() + slope_y.value()),
          std::sqrt(curvature.value())};
}

}  // namespace slipfield
