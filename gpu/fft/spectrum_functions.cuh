// SPDX-License-Identifier: Apache-2.0
// The functions that spectra are built from: coefficients by offset, the symbol by wave number, a
// sum of other spectra.
#pragma once

#include <cstddef>

#include "gpu/summation/coefficient_table.h"
#include "solver/influence/block.h"
#include "solver/influence/half_space_symbol.h"

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
  LayerImages layers;
  __device__ double operator()(int kx, int ky) const {
    if (kx == 0 && ky == 0) return 0.0;
    // At the highest wave number of an even count, +q and -q are one: an odd symbol is 0 there.
    const bool highest_x = 2 * abs(kx) == mx;
    const bool highest_y = 2 * abs(ky) == my;
    if ((symmetry.x < 0 && highest_x) || (symmetry.y < 0 && highest_y)) return 0.0;
    const double part = half_space_symbol_part(component, unit_x * kx, unit_y * ky, material);
    return layers.count == 0
               ? part
               : part + image_symbol_part(component, unit_x * kx, unit_y * ky, layers);
  }
};

// a = identity + sum of weight * stored / scale.
struct SymbolSum {
  const double* values[2];
  double weight[2];
  double identity;
  double scale;
  bool real;
  bool imaginary;  // real: what is stored are imaginary parts
  // The number that stands for the first one, the mean's, where that is 0. As
  // invertible_at() in solver/cpu/fft/spectrum.h; 0: none.
  std::size_t short_wave;
  __device__ double2 operator()(std::size_t i) const {
    double2 a = make_double2(identity, 0.0);
    for (int k = 0; k < 2; ++k) {
      if (values[k] == nullptr) continue;
      if (real) {
        const std::size_t at = i == 0 && has_no_mean(values[k]) ? short_wave : i;
        const double part = weight[k] * (values[k][at] / scale);
        if (imaginary) {
          a.y += part;
        } else {
          a.x += part;
        }
      } else {
        a.x += weight[k] * (values[k][2 * i] / scale);
        a.y += weight[k] * (values[k][2 * i + 1] / scale);
      }
    }
    return a;
  }
  __device__ bool has_no_mean(const double* of) const {
    return of[0] == 0.0 || (!imaginary && fabs(of[0]) < kNoMean * fabs(of[short_wave]));
  }
  // to[i] = scale conj(a)/(|a|^2 + cut^2), 0 where both are 0; stored as the terms are
  __device__ void store_inverse(std::size_t i, double cut, double* to) const {
    const double2 a = (*this)(i);
    const double size = a.x * a.x + a.y * a.y + cut * cut;
    const double factor = size > 0.0 ? scale / size : 0.0;
    if (real) {
      to[i] = imaginary ? -factor * a.y : factor * a.x;
    } else {
      to[2 * i] = factor * a.x;
      to[2 * i + 1] = -factor * a.y;
    }
  }
};

}  // namespace slipfield
