// SPDX-License-Identifier: Apache-2.0
// The paraboloid that a geometry adds up to: h = A (x - x0)^2 + B (y - y0)^2 + lowest
// (THEORY.md 10.1).
#pragma once

#include <optional>
#include <vector>

#include "solver/geometry.h"

namespace slipfield {

struct Paraboloid {
  double curvature_x = 0.0;  // A
  double curvature_y = 0.0;  // B
  double centre_x = 0.0;     // where A > 0 (y: B > 0) and not twisted; as `lowest`
  double centre_y = 0.0;
  double lowest = 0.0;
  bool twisted = false;  // it has a term x y
  bool tilted = false;   // it slopes in a direction without curvature
};

// Nothing where a shape is not a paraboloid.
std::optional<Paraboloid> paraboloid_of(const std::vector<Shape>& shapes,
                                        const CombinedMaterial& material);

}  // namespace slipfield
