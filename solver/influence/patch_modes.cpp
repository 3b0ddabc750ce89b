// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/patch_modes.h"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace slipfield {
namespace {

// The patch of an element, counted from 0, whose rectangle has its centre inside or, to rounding,
// on its border; none: -1.
int patch_at(const ContactPatches& patches, const Grid& grid, int ix, int iy) {
  const double x = grid.x(ix);
  const double y = grid.y(iy);
  const double slack_x = kCentreRounding * grid.dx;
  const double slack_y = kCentreRounding * grid.dy;
  const auto has = [&](const ContactPatches::Rectangle& r) {
    return r.x_from - slack_x <= x && x <= r.x_to + slack_x && r.y_from - slack_y <= y &&
           y <= r.y_to + slack_y;
  };
  const auto found = std::find_if(patches.rectangles.begin(), patches.rectangles.end(), has);
  return found == patches.rectangles.end() ? -1
                                           : static_cast<int>(found - patches.rectangles.begin());
}

Eigen::MatrixXd weight_matrix(const ContactPatches& patches) {
  const auto count = static_cast<Eigen::Index>(patches.rectangles.size());
  Eigen::MatrixXd weight = Eigen::MatrixXd::Identity(count, count);
  std::size_t next = 0;
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = i + 1; j < count; ++j)
      weight(i, j) = weight(j, i) = patches.weights.at(next++);
  return weight;
}

}  // namespace

PatchModes patch_modes(const ContactPatches& patches, const Grid& grid) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(weight_matrix(patches));
  const double greatest = solver.eigenvalues().cwiseAbs().maxCoeff();
  constexpr double kNone = 1.0e-12;
  PatchModes modes;
  for (Eigen::Index r = 0; r < solver.eigenvalues().size(); ++r) {
    const double value = solver.eigenvalues()[r];
    if (std::abs(value) <= kNone * greatest) continue;
    std::vector<double> shape(grid.count(), 0.0);
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        const int patch = patch_at(patches, grid, ix, iy);
        if (patch >= 0) shape[grid.index(ix, iy)] = solver.eigenvectors()(patch, r);
      }
    }
    modes.value.push_back(value);
    modes.shape.push_back(std::move(shape));
  }
  return modes;
}

void exclude_outside(const ContactPatches& patches, const Grid& grid,
                     std::vector<double>& distance) {
  if (!patches.exist()) return;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix)
      if (patch_at(patches, grid, ix, iy) < 0)
        distance[grid.index(ix, iy)] = std::numeric_limits<double>::infinity();
}

}  // namespace slipfield
