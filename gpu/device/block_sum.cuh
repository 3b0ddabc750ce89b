// SPDX-License-Identifier: Apache-2.0
// Sums over the threads of a block with the same bits in every run: lanes in a tree, then warps in
// order.
#pragma once

#include <cuda_runtime.h>

namespace slipfield {

// Returns sum k of sums[0..kSums) in thread k. Acts as a barrier of the block; place another one
// before the next call.
template <int kSums, int kThreads>
__device__ __forceinline__ double block_total(double (&sums)[kSums > 0 ? kSums : 1]) {
  constexpr int kWarps = kThreads / 32;
  __shared__ double warp_sums[kSums > 0 ? kSums : 1][kWarps];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread & 31;
  const int warp = thread >> 5;
#pragma unroll
  for (int k = 0; k < kSums; ++k) {
    for (int offset = 16; offset > 0; offset >>= 1)
      sums[k] += __shfl_down_sync(0xffffffffu, sums[k], offset);
    if (lane == 0) warp_sums[k][warp] = sums[k];
  }
  __syncthreads();
  double total = 0.0;
  if (thread < kSums) {
#pragma unroll
    for (int w = 0; w < kWarps; ++w) total += warp_sums[thread][w];
  }
  return total;
}

// Writes all sums to `sums` in every thread of the first warp; barriers as for block_total().
template <int kSums, int kThreads>
__device__ __forceinline__ void block_sum(double (&sums)[kSums > 0 ? kSums : 1]) {
  static_assert(kSums <= 32, "one lane a sum");
  const double total = block_total<kSums, kThreads>(sums);
  if (threadIdx.x >= 32) return;
#pragma unroll
  for (int k = 0; k < kSums; ++k) sums[k] = __shfl_sync(0xffffffffu, total, k);
}

}  // namespace slipfield
