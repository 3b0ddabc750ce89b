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

template <class T>
std::vector<T> spread(const std::vector<T>& part, const std::vector<std::size_t>& places,
                      std::size_t count, T elsewhere) {
  std::vector<T> whole(count, elsewhere);
  for (std::size_t i = 0; i < part.size(); ++i) whole[places[i]] = part[i];
  return whole;
}

}  // namespace

LinearizedFriction on_grid(const LinearizedFriction& part, const std::vector<std::size_t>& places,
                           std::size_t count) {
  const auto values = [&](const std::vector<double>& field, double elsewhere) {
    return spread(field, places, count, elsewhere);
  };
  LinearizedFriction whole;
  for (const int i : part.contact)
    whole.contact.push_back(static_cast<int>(places[static_cast<std::size_t>(i)]));
  whole.rho = part.rho;
  whole.dxx = values(part.dxx, 0.0);
  whole.dxy = values(part.dxy, 0.0);
  whole.dyx = values(part.dyx, 0.0);
  whole.dyy = values(part.dyy, 0.0);
  whole.fraction = values(part.fraction, 1.0);
  whole.yielding = values(part.yielding, 1.0);
  whole.traction_x = values(part.traction_x, 0.0);
  whole.traction_y = values(part.traction_y, 0.0);
  whole.state =
      spread(part.state, places, count, static_cast<unsigned char>(ElementState::exterior));
  return whole;
}

Eigen::MatrixXd by_rigid_motion(const LinearizedFriction& at, const ElementCentres& centres,
                                const RigidSlip& rigid) {
  const Eigen::Index n = elements(at);
  Eigen::MatrixXd columns(2 * n, 3);
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::size_t i = element(at, k);
    const double rho = at.rho * at.fraction[i];
    const double x = rigid.turned_x(centres.y(i));
    const double y = rigid.turned_y(centres.x(i));
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
    const double part = at.yielding[i] * change[i] / pressure[i];
    column(k, 0) = part * at.traction_x[i];
    column(n + k, 0) = part * at.traction_y[i];
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
    sums[2] += centres.moment(i, px, py);
  }
  return sums;
}

}  // namespace slipfield
