// SPDX-License-Identifier: Apache-2.0
// The coefficient of a layer between the bodies (THEORY.md 5.10).
#pragma once

#include <cmath>

#include "solver/host_device.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/material.h"

namespace slipfield {

// What a layer between the bodies adds to their coefficient at the difference of positions (x, y):
// its compliance at the loaded element, falling linearly to the neighbours (THEORY.md 5.10).
SLIPFIELD_HD inline double layer_coefficient(Component component, double x, double y, double dx,
                                             double dy, const CombinedMaterial& material) {
  const bool along = component == Component::xx || component == Component::yy;
  const double compliance =
      along ? material.layer : (component == Component::nn ? material.sheet : 0.0);
  const double in_x = 1.0 - std::fabs(x) / dx;
  const double in_y = 1.0 - std::fabs(y) / dy;
  return in_x > 0.0 && in_y > 0.0 ? compliance * in_x * in_y : 0.0;
}
SLIPFIELD_HD inline bool has_layer(const CombinedMaterial& material) {
  return material.layer != 0.0 || material.sheet != 0.0;
}

}  // namespace slipfield
