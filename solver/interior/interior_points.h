// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements at single points inside a body, by direct sums over the loaded
// elements (THEORY.md 12.5).
#pragma once

#include <array>
#include <vector>

#include "solver/grid.h"
#include "solver/interior/interior_response.h"
#include "solver/material.h"
#include "solver/solution.h"

namespace slipfield {

struct InteriorPoint {
  double x = 0.0;  // anywhere, also between element centres and off the grid
  double y = 0.0;
  double depth = 0.0;  // >= 0
};

// By InteriorComponent, in the axes and signs of the contact.
using InteriorValues = std::array<double, kInteriorComponents>;

// In the order of the points. The grid is free.
std::vector<InteriorValues> interior_at(const std::vector<InteriorPoint>& points, const Grid& grid,
                                        const ElasticBody& material, Body body,
                                        const ContactSolution& solution);

}  // namespace slipfield
