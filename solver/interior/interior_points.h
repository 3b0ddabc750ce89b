// SPDX-License-Identifier: Apache-2.0
// Converts surface tractions of a contact to loads on one of its half-spaces, and stresses back to
// the axes of the contact (THEORY.md 12.3).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/interior/interior_response.h"
#include "solver/material.h"
#include "solver/solution.h"

namespace slipfield {

// On body 1, whose depth is z, the loads are p_x, p_y and p_n. On body 2 they are opposite, and its
// depth is -z: p_n still acts into it, p_x and p_y change sign.
constexpr double load_sign(Body body, int load) {
  return body == Body::lower && load < 2 ? -1.0 : 1.0;
}

// In body 2 components that are odd in z change sign: xz, yz and the displacement along z.
constexpr double component_sign(Body body, int component) {
  const bool odd = component == static_cast<int>(InteriorComponent::xz) ||
                   component == static_cast<int>(InteriorComponent::yz) ||
                   component == static_cast<int>(InteriorComponent::z);
  return body == Body::lower && odd ? -1.0 : 1.0;
}

// The coordinate z of a depth; +0 at the surface of both bodies.
constexpr double height_of(Body body, double depth) {
  return body == Body::lower ? 0.0 - depth : depth;
}

// p_x, p_y, p_n of all elements; of bodies that adhere p_n less the adhesive stress. The solution
// outlives them.
class InteriorLoads {
 public:
  explicit InteriorLoads(const ContactSolution& solution) : solution_(&solution) {
    if (solution.adhesive_stress.empty()) return;
    net_ = solution.pressure;
    for (std::size_t i = 0; i < net_.size(); ++i) net_[i] -= solution.adhesive_stress[i];
  }
  [[nodiscard]] const double* of(int load) const {
    if (load == 0) return solution_->traction_x.data();
    if (load == 1) return solution_->traction_y.data();
    return net_.empty() ? solution_->pressure.data() : net_.data();
  }
  // The load is not zero everywhere.
  [[nodiscard]] bool exists(int load) const {
    return std::any_of(of(load), of(load) + solution_->pressure.size(),
                       [](double value) { return value != 0.0; });
  }

 private:
  const ContactSolution* solution_;
  std::vector<double> net_;  // where the bodies adhere
};

// Stresses and displacements at single points inside a body, by direct sums over the loaded
// elements (THEORY.md 12.5), on a grid that is periodic in both directions over its waves (12.7).
struct InteriorPoint {
  double x = 0.0;  // anywhere, also between element centres or outside the grid
  double y = 0.0;
  double depth = 0.0;  // >= 0
};

// By InteriorComponent, in the axes and signs of the contact.
using InteriorValues = std::array<double, kInteriorComponents>;

// Values in the order of the points. The grid may not be periodic in one direction alone.
std::vector<InteriorValues> interior_at(const std::vector<InteriorPoint>& points, const Grid& grid,
                                        const ElasticBody& material, Body body,
                                        const ContactSolution& solution);

}  // namespace slipfield
