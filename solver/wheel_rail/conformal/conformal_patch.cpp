// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/conformal/conformal_patch.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace slipfield {

CurvedInfluence conformal_influence(const ContactPatch& patch) {
  ConformalCorrection correction;
  correction.straight = false;
  for (int iy = 0; iy < patch.grid.my; ++iy) {
    correction.y.push_back(patch.grid.y(iy));
    correction.angle.push_back(patch.rows[static_cast<std::size_t>(iy)].angle - patch.angle);
  }
  return {nullptr, std::make_shared<const ConformalCorrection>(std::move(correction))};
}

ExtraSlip slip_of_rows(const ContactPatch& patch, double ahead) {
  const Grid& grid = patch.grid;
  const PatchCreepages& creepages = patch.creepages;
  std::vector<double> slip_x(grid.count());
  std::vector<double> slip_y(grid.count());
  for (int iy = 0; iy < grid.my; ++iy) {
    const RowCreepages& row = creepages.rows[static_cast<std::size_t>(iy)];
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      slip_x[i] = row.x - (creepages.x - creepages.spin * grid.y(iy));
      slip_y[i] = row.y - creepages.y + (row.spin - creepages.spin) * (grid.x(ix) + ahead);
    }
  }
  return {std::make_shared<const std::vector<double>>(std::move(slip_x)),
          std::make_shared<const std::vector<double>>(std::move(slip_y))};
}

TurnedForce turned_force(const ContactPatch& patch, const ContactSolution& solution) {
  const Grid& grid = patch.grid;
  TurnedForce sum;
  for (int iy = 0; iy < grid.my; ++iy) {
    const ReferenceRow& row = patch.rows[static_cast<std::size_t>(iy)];
    const double cosine = std::cos(row.angle - patch.angle);
    const double sine = std::sin(row.angle - patch.angle);
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      const double across = solution.traction_y[i];
      const double pressure = solution.pressure[i];
      const Eigen::Vector3d force(solution.traction_x[i], across * cosine - pressure * sine,
                                  across * sine + pressure * cosine);
      sum.force += force;
      sum.moment += Eigen::Vector3d(grid.x(ix), row.y, row.n).cross(force);
    }
  }
  sum.force *= grid.element_area();
  sum.moment *= grid.element_area();
  return sum;
}

}  // namespace slipfield
