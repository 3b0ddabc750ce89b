// SPDX-License-Identifier: Apache-2.0
// What a block of gpu/batch needs for grids of one shape: lengths of transforms, where points lie,
// how much shared memory. Apart from batch_kernels.h because builds without CUDA have it too.
#pragma once

#include <cstddef>
#include <vector>

namespace slipfield {

// Smallest length of the block transforms that holds the differences of position of `elements`.
// Precondition: 1 <= elements <= 96.
int block_length(int elements);
// First factor of that length, as gpu/batch/block_team.cuh splits it.
int block_factor(int length);

// The padded grid: rows of nx points, `row` points apart.
struct BatchShape {
  int mx = 1;
  int my = 1;
  int nx = 1;
  int ny = 1;
  int row = 1;
};
BatchShape batch_shape(int mx, int my);

// The places of the frequencies k and -k, once for each pair (equal if they are the same
// frequency).
struct FrequencyPair {
  int at = 0;
  int opposite = 0;
};
std::vector<FrequencyPair> frequency_pairs(const BatchShape& shape);

// The place of a block's padded grid: shared memory or, for double or for both precisions, the
// block's own device memory, which stays in the GPU's L2 cache.
struct BatchRoom {
  bool exact_shared = true;
  bool rough_shared = true;      // in single precision
  std::size_t shared_bytes = 0;  // dynamic shared memory: the grid, and roots of unity
  std::size_t own_bytes = 0;
};
// most: the most dynamic shared memory that a block may have [bytes].
BatchRoom batch_room(const BatchShape& shape, std::size_t most);

}  // namespace slipfield
