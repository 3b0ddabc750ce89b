// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/simplified_paraboloid.h"

#include <variant>

namespace slipfield {
namespace {

// Adds a shape's coefficients; false where it has none.
struct CoefficientAdder {
  const CombinedMaterial& material;
  QuadraticShape& sum;

  bool operator()(const QuadraticShape& s) const {
    sum.xx += s.xx;
    sum.xy += s.xy;
    sum.yy += s.yy;
    sum.x += s.x;
    sum.y += s.y;
    sum.constant += s.constant;
    return true;
  }
  bool operator()(const SphereShape& s) const { return add(0.5 / s.radius, 0.5 / s.radius); }
  bool operator()(const EllipsoidShape& s) const { return add(0.5 / s.radius_x, 0.5 / s.radius_y); }
  bool operator()(const CylinderShape& s) const {
    const bool along_y = s.axis == CylinderAxis::y;
    return add(along_y ? 0.5 / s.radius : 0.0, along_y ? 0.0 : 0.5 / s.radius);
  }
  bool operator()(const HertzShape& s) const {
    const HertzContact contact =
        hertz_contact(s.semi_axis_x, s.semi_axis_y, s.force, material.contact_modulus());
    return add(contact.curvature_x, contact.curvature_y);
  }
  template <class Other>
  bool operator()(const Other& /*shape*/) const {
    return false;
  }

 private:
  [[nodiscard]] bool add(double curvature_x, double curvature_y) const {
    sum.xx += curvature_x;
    sum.yy += curvature_y;
    return true;
  }
};

}  // namespace

std::optional<Paraboloid> paraboloid_of(const std::vector<Shape>& shapes,
                                        const CombinedMaterial& material) {
  QuadraticShape sum;
  for (const Shape& shape : shapes) {
    if (!std::visit(CoefficientAdder{material, sum}, shape)) return std::nullopt;
  }
  Paraboloid result;
  result.curvature_x = sum.xx;
  result.curvature_y = sum.yy;
  result.twisted = sum.xy != 0.0;
  result.tilted = (!(sum.xx > 0.0) && sum.x != 0.0) || (!(sum.yy > 0.0) && sum.y != 0.0);
  if (sum.xx > 0.0) result.centre_x = -0.5 * sum.x / sum.xx;
  if (sum.yy > 0.0) result.centre_y = -0.5 * sum.y / sum.yy;
  result.lowest = sum.constant + 0.5 * (sum.x * result.centre_x + sum.y * result.centre_y);
  return result;
}

}  // namespace slipfield
