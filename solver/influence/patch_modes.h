// SPDX-License-Identifier: Apache-2.0
// The weights between patches of a contact as a sum of products, so that any product with A_nn
// serves (THEORY.md 4.7).
#pragma once

#include <vector>

#include "solver/grid.h"
#include "solver/patches.h"

namespace slipfield {

// F_ij = sum over r of value[r] shape[r][i] shape[r][j], i and j elements: the eigenvalues of the
// matrix of weights, and its eigenvectors at the patch of each element, 0 outside of all.
struct PatchModes {
  std::vector<double> value;
  std::vector<std::vector<double>> shape;  // x fastest
};

// Eigenvalues below 1e-12 of the greatest are left out: of weights that are all 1 one remains.
PatchModes patch_modes(const ContactPatches& patches, const Grid& grid);

// Distance, x fastest: infinite where no patch is.
void exclude_outside(const ContactPatches& patches, const Grid& grid,
                     std::vector<double>& distance);

}  // namespace slipfield
