// SPDX-License-Identifier: Apache-2.0
// The functions that spectra are built from: coefficients by offset, the symbol by wave number.
#pragma once

#include "gpu/summation/coefficient_table.h"
#include "solver/influence/half_space_symbol_part.h"

namespace slipfield {

struct RecipeFunction {
  CoefficientRecipe recipe;
  __device__ double operator()(int dx, int dy) const { return recipe.at(dx, dy); }
};

struct PeriodicSymbol {
  Component component;
  CombinedMaterial material;
  TableSymmetry symmetry;
  int mx;
  int my;
  double unit_x;  // 2 pi/(length of the grid in x)
  double unit_y;
  __device__ double operator()(int kx, int ky) const {
    if (kx == 0 && ky == 0) return 0.0;
    // At the highest wave number of an even count, +q and -q are one: an odd symbol is 0 there.
    const bool highest_x = 2 * abs(kx) == mx;
    const bool highest_y = 2 * abs(ky) == my;
    if ((symmetry.x < 0 && highest_x) || (symmetry.y < 0 && highest_y)) return 0.0;
    return half_space_symbol_part(component, unit_x * kx, unit_y * ky, material);
  }
};

}  // namespace slipfield
