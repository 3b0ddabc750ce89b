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

// Where the frequencies k and -k lie, once for each pair (twice the same where they are one).
struct FrequencyPair {
  int at = 0;
  int opposite = 0;
};
std::vector<FrequencyPair> frequency_pairs(const BatchShape& shape);

// Where a block has the padded grid. It lies in shared memory, or, in double precision or in both,
// in memory of the block's own, where the GPU's second-level cache holds it.
struct BatchRoom {
  bool exact_shared = true;
  bool rough_shared = true;      // in single precision
  std::size_t shared_bytes = 0;  // dynamic shared memory: the grid, and roots of unity
  std::size_t own_bytes = 0;
};
// most: dynamic shared memory that a block may have [bytes].
BatchRoom batch_room(const BatchShape& shape, std::size_t most);

}  // namespace slipfield
