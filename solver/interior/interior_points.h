// SPDX-License-Identifier: Apache-2.0
// Converts surface tractions of a contact to loads on one of its half-spaces, and stresses back to
// the axes of the contact (THEORY.md 12.3).
#pragma once

#include <array>
#include <vector>

#include "solver/error.h"
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

// p_x, p_y, p_n of all elements.
inline std::array<const double*, kLoads> tractions_of(const ContactSolution& solution) {
  if (!solution.adhesive_stress.empty())
    throw InputError(
        "stresses inside bodies that adhere are not computed; accepted: a contact without "
        "adhesion");
  return {solution.traction_x.data(), solution.traction_y.data(), solution.pressure.data()};
}

// Stresses and displacements at single points inside a body, by direct sums over the loaded
// elements (THEORY.md 12.5).
struct InteriorPoint {
  double x = 0.0;  // anywhere, also between element centres or outside the grid
  double y = 0.0;
  double depth = 0.0;  // >= 0
};

// By InteriorComponent, in the axes and signs of the contact.
using InteriorValues = std::array<double, kInteriorComponents>;

// Values in the order of the points. The grid must be free.
std::vector<InteriorValues> interior_at(const std::vector<InteriorPoint>& points, const Grid& grid,
                                        const ElasticBody& material, Body body,
                                        const ContactSolution& solution);

}  // namespace slipfield
