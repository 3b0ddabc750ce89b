// SPDX-License-Identifier: Apache-2.0
// Products with the weights between patches (THEORY.md 4.7), by whatever computes the product
// without them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/influence/patch_modes.h"

namespace slipfield {

// out = F in, F as PatchModes has it over the product that multiply(in, out) gives; `count` elements
// of the modes and of the fields. of_mode, by_mode: scratch.
template <class Multiply>
void multiply_by_modes(const PatchModes& modes, std::size_t count, const double* in, double* out,
                       std::vector<double>& of_mode, std::vector<double>& by_mode,
                       const Multiply& multiply) {
  of_mode.resize(count);
  by_mode.resize(count);
  std::fill_n(out, count, 0.0);
  for (std::size_t r = 0; r < modes.value.size(); ++r) {
    const std::vector<double>& shape = modes.shape[r];
    for (std::size_t i = 0; i < count; ++i) of_mode[i] = shape[i] * in[i];
    multiply(of_mode.data(), by_mode.data());
    for (std::size_t i = 0; i < count; ++i) out[i] += modes.value[r] * shape[i] * by_mode[i];
  }
}

}  // namespace slipfield
