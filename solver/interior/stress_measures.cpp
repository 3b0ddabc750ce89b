// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/stress_measures.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace slipfield {

std::array<double, 3> principal_stresses(const StressState& stress) {
  const auto& [xx, yy, zz, xy, xz, yz] = stress;
  Eigen::Matrix3d tensor;
  tensor << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  // By iteration: the closed form loses half of the digits where two of them are nearly equal.
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(tensor, Eigen::EigenvaluesOnly);
  const auto& values = solver.eigenvalues();
  return {values[2], values[1], values[0]};
}

double von_mises_stress(const StressState& stress) {
  const auto& [xx, yy, zz, xy, xz, yz] = stress;
  const double differences = (xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx);
  return std::sqrt(0.5 * differences + 3.0 * (xy * xy + xz * xz + yz * yz));
}

double hydrostatic_stress(const StressState& stress) {
  return (stress[0] + stress[1] + stress[2]) / 3.0;
}

}  // namespace slipfield
