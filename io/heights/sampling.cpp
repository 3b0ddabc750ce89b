// SPDX-License-Identifier: Apache-2.0
#include "io/heights/sampling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "solver/geometry/cubic_spline.h"

namespace slipfield {
namespace {

// Interpolates lines of samples, one direction after the other.
class LineInterpolation {
 public:
  LineInterpolation(std::vector<double> samples, std::vector<double> points, double spacing,
                    Interpolation interpolation)
      : points_(std::move(points)), first_(samples.front()), spacing_(spacing) {
    if (interpolation == Interpolation::bicubic) knots_.emplace(std::move(samples));
  }

  [[nodiscard]] std::vector<double> operator()(const std::vector<double>& line) const {
    if (knots_) return knots_->interpolate(line, points_);
    std::vector<double> result;
    result.reserve(points_.size());
    for (const double point : points_) {
      const double last = static_cast<double>(line.size()) - 1.0;
      const double position = std::clamp((point - first_) / spacing_, 0.0, last);
      const double nearest = std::round(position);
      if (std::abs(position - nearest) <= kCentreRounding) {
        result.push_back(line[static_cast<std::size_t>(nearest)]);
        continue;
      }
      const double left = std::floor(position);
      const auto i = static_cast<std::size_t>(left);
      result.push_back((left + 1.0 - position) * line[i] + (position - left) * line[i + 1]);
    }
    return result;
  }

 private:
  std::vector<double> points_;
  double first_;
  double spacing_;
  std::optional<SplineKnots> knots_;  // bicubic
};

std::vector<double> centres_x(const Grid& grid) {
  std::vector<double> result;
  for (int ix = 0; ix < grid.mx; ++ix) result.push_back(grid.x(ix));
  return result;
}

std::vector<double> centres_y(const Grid& grid) {
  std::vector<double> result;
  for (int iy = 0; iy < grid.my; ++iy) result.push_back(grid.y(iy));
  return result;
}

}  // namespace

Grid sample_grid(const HeightsSampling& sampling, int mx, int my) {
  return {mx, my, sampling.spacing[0], sampling.spacing[1], sampling.origin[0], sampling.origin[1]};
}

std::vector<double> sample_heights(const std::vector<double>& samples, const Grid& sampled,
                                   Interpolation interpolation, const Grid& grid) {
  const LineInterpolation along_x(centres_x(sampled), centres_x(grid), sampled.dx, interpolation);
  const LineInterpolation along_y(centres_y(sampled), centres_y(grid), sampled.dy, interpolation);
  const auto mx = static_cast<std::size_t>(grid.mx);
  std::vector<double> rows;  // all sampled rows at the grid's columns
  rows.reserve(mx * static_cast<std::size_t>(sampled.my));
  for (int iy = 0; iy < sampled.my; ++iy) {
    const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(sampled.index(0, iy));
    const std::vector<double> row = along_x(std::vector<double>(begin, begin + sampled.mx));
    rows.insert(rows.end(), row.begin(), row.end());
  }
  std::vector<double> heights(grid.count());
  std::vector<double> column(static_cast<std::size_t>(sampled.my));
  for (std::size_t ix = 0; ix < mx; ++ix) {
    for (std::size_t iy = 0; iy < column.size(); ++iy) column[iy] = rows[iy * mx + ix];
    const std::vector<double> values = along_y(column);
    for (std::size_t iy = 0; iy < values.size(); ++iy) heights[iy * mx + ix] = values[iy];
  }
  return heights;
}

}  // namespace slipfield
