// SPDX-License-Identifier: Apache-2.0
// Fourier symbol of the elastic half-space, for periodic grids (THEORY.md 2.5).
#pragma once

#include <complex>

#include "solver/influence/half_space_symbol_part.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

// highest_x, highest_y: q is the highest of an even number of waves, where an odd symbol has no
// place. kind: the displacement one step ago is that at x + offset, a factor exp(i q.offset).
std::complex<double> half_space_symbol(Component component, double qx, double qy, bool highest_x,
                                       bool highest_y, const CombinedMaterial& material,
                                       const InfluenceKind& kind);

// The same at the wave (kx, ky) of a periodic grid: kx waves over its width, ky over its height.
std::complex<double> half_space_symbol(Component component, int kx, int ky, const Grid& grid,
                                       const CombinedMaterial& material, const InfluenceKind& kind);

}  // namespace slipfield
