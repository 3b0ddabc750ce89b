// SPDX-License-Identifier: Apache-2.0
// The size of the vectors that NewtonGmres keeps in the card's memory, which estimates also need.
#pragma once

#include <cstddef>

#include "solver/fields/iteration_limits.h"

namespace slipfield {

inline constexpr int kGmresBlocks = 16;    // of its cluster
inline constexpr int kGmresLongest = 128;  // transform: 4 points for each thread of a warp

// Rows are distributed to the blocks in pairs; the first block also has the two rigid slips.
constexpr std::size_t gmres_basis_floats(int mx, int my) {
  const int pairs = ((my + 1) / 2 + kGmresBlocks - 1) / kGmresBlocks;
  const std::size_t entries =
      2 * static_cast<std::size_t>(2 * pairs) * static_cast<std::size_t>(mx) + 2;
  return kGmresBlocks * (GridLimits::kKrylov + 1) * entries;
}

}  // namespace slipfield
