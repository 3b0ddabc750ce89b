// SPDX-License-Identifier: Apache-2.0
// What a block of gpu/batch needs for grids of one shape: lengths of transforms, where points lie,
// how much shared memory.
#pragma once

#include <cstddef>
#include <vector>

namespace slipfield {

// Smallest length of the block transforms that holds the differences of position of `elements`.
// Precondition: 1 <= elements <= 48.
int block_length(int elements);
// First factor of that length, as gpu/batch/block_fft.cuh splits it.
int block_factor(int length);

// The padded grid in shared memory: rows of nx points, `row` points apart.
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

// Dynamic shared memory of a block [bytes].
std::size_t batch_shared_bytes(const BatchShape& shape);

}  // namespace slipfield
