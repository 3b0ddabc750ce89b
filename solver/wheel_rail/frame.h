// SPDX-License-Identifier: Apache-2.0
// A right-handed coordinate system within another: where its origin is and how it is turned.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace slipfield {

struct AxesFrame {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  // from the inner system to the outer
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();

  [[nodiscard]] Eigen::Vector3d out(const Eigen::Vector3d& inner) const {
    return origin + rotation * inner;
  }
  [[nodiscard]] Eigen::Vector3d in(const Eigen::Vector3d& outer) const {
    return rotation.transpose() * (outer - origin);
  }
  // A frame given in this frame, as seen from outside.
  [[nodiscard]] AxesFrame out(const AxesFrame& inner) const {
    return {rotation * inner.rotation, out(inner.origin)};
  }
  [[nodiscard]] AxesFrame inverse() const {
    return {rotation.transpose(), -(rotation.transpose() * origin)};
  }
};

// Turns by the right-hand rule: about x, (0, 1, 0) goes to (0, cos a, sin a); about z, (1, 0, 0)
// goes to (cos a, sin a, 0).
inline Eigen::Matrix3d turn_x(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).toRotationMatrix();
}
inline Eigen::Matrix3d turn_z(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
}

}  // namespace slipfield
