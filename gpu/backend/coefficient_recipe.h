// SPDX-License-Identifier: Apache-2.0
// How the coefficients of a kind of displacement by elastic bodies are computed on the device.
#pragma once

#include "gpu/summation/coefficient_table.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

// Without what viscoelastic bodies remember, and without a compliance of each element's own.
inline CoefficientRecipe coefficient_recipe(Component component, const Grid& grid,
                                            const CombinedMaterial& material,
                                            const InfluenceKind& kind) {
  CoefficientRecipe recipe;
  recipe.component = component;
  recipe.material = material;
  recipe.dx = grid.dx;
  recipe.dy = grid.dy;
  if (kind.displacement == Displacement::current) return recipe;
  recipe.shift_x = kind.offset_x;
  recipe.shift_y = kind.offset_y;
  if (kind.displacement == Displacement::change) recipe.kind = CoefficientRecipe::Kind::difference;
  return recipe;
}

}  // namespace slipfield
