// SPDX-License-Identifier: Apache-2.0
#include "solver/tangential/linearized_friction.h"

namespace slipfield {
namespace {

std::size_t element(const LinearizedFriction& at, Eigen::Index k) {
  return static_cast<std::size_t>(at.contact[static_cast<std::size_t>(k)]);
}
Eigen::Index elements(const LinearizedFriction& at) {
  return static_cast<Eigen::Index>(at.contact.size());
}

}  // namespace

Eigen::MatrixXd by_rigid_motion(const LinearizedFriction& at, const ElementCentres& centres,
                                const RigidSlip& rigid) {
  const Eigen::Index n = elements(at);
  Eigen::MatrixXd columns(2 * n, 3);
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::size_t i = element(at, k);
    const double rho = at.rho * at.fraction[i];
    const double x = -(centres.y(i) + rigid.arm_y);
    const double y = centres.x(i) + rigid.arm_x;
    columns.row(k) << -rho * at.dxx[i], -rho * at.dxy[i], -rho * (at.dxx[i] * x + at.dxy[i] * y);
    columns.row(n + k) << -rho * at.dyx[i], -rho * at.dyy[i],
        -rho * (at.dyx[i] * x + at.dyy[i] * y);
  }
  return columns;
}

Eigen::MatrixXd by_bound(const LinearizedFriction& at, const std::vector<double>& pressure,
                         const std::vector<double>& change) {
  const Eigen::Index n = elements(at);
  Eigen::MatrixXd column = Eigen::MatrixXd::Zero(2 * n, 1);
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::size_t i = element(at, k);
    if (at.state[i] != static_cast<unsigned char>(ElementState::slip)) continue;
    column(k, 0) = at.traction_x[i] / pressure[i] * change[i];
    column(n + k, 0) = at.traction_y[i] / pressure[i] * change[i];
  }
  return column;
}

void add_by_slip(const LinearizedFriction& at, const std::vector<double>& slip_x,
                 const std::vector<double>& slip_y, Eigen::MatrixXd& column) {
  const Eigen::Index n = elements(at);
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::size_t i = element(at, k);
    column(k, 0) -= at.rho * (at.dxx[i] * slip_x[i] + at.dxy[i] * slip_y[i]);
    column(n + k, 0) -= at.rho * (at.dyx[i] * slip_x[i] + at.dyy[i] * slip_y[i]);
  }
}

std::array<double, 3> traction_sums(const LinearizedFriction& at, const ElementCentres& centres,
                                    const Eigen::MatrixXd& columns, Eigen::Index column) {
  const Eigen::Index n = elements(at);
  std::array<double, 3> sums{};
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::size_t i = element(at, k);
    const double px = columns(k, column);
    const double py = columns(n + k, column);
    sums[0] += px;
    sums[1] += py;
    sums[2] += centres.x(i) * py - centres.y(i) * px;
  }
  return sums;
}

}  // namespace slipfield
