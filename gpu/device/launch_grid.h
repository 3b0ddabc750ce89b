// SPDX-License-Identifier: Apache-2.0
// The grid of kernels in which each thread takes a column and loops over the rows of a field if
// there are more rows than blocks.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>

namespace slipfield {

inline constexpr int kColumnThreads = 128;  // of a block
inline constexpr int kMostRowBlocks = 32768;

// At least one block, even for an empty field.
inline dim3 blocks_over(int columns, int rows = 1, int layers = 1) {
  const int wide = std::max(1, (columns + kColumnThreads - 1) / kColumnThreads);
  return dim3(static_cast<unsigned>(wide),
              static_cast<unsigned>(std::clamp(rows, 1, kMostRowBlocks)),
              static_cast<unsigned>(layers));
}

}  // namespace slipfield
