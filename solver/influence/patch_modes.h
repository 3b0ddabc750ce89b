// SPDX-License-Identifier: Apache-2.0
// The weights between patches of a contact as a sum of products, so that they work with any product
// with A_nn (THEORY.md 4.7).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/problem.h"

namespace slipfield {

// F_ij = sum over r of value[r] shape[r][i] shape[r][j] for elements i and j: the eigenvalues of
// the matrix of weights, and its eigenvectors at the patch of each element, 0 outside all patches.
struct PatchModes {
  std::vector<double> value;
  std::vector<std::vector<double>> shape;  // x fastest
};

// Omits eigenvalues below 1e-12 of the greatest: if all weights are 1, one mode remains.
PatchModes patch_modes(const ContactPatches& patches, const Grid& grid);

// Sets the distance, x fastest, to infinity outside all patches.
void exclude_outside(const ContactPatches& patches, const Grid& grid,
                     std::vector<double>& distance);

// Applies these weights to any product: out_i = sum over j of F_ij A_ij in_j, F as in PatchModes,
// where multiply(in, out) is the product with A alone; count: elements of the modes and of the
// fields. of_mode, by_mode: scratch.
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
