// SPDX-License-Identifier: Apache-2.0
// Runs an element operation (solver/fields/element_op.h) over n elements, with up to 10 sums, in
// one launch. Mirrors the loop of solver/cpu/cpu_backend.h. An operation without sums and finish()
// needs no ticket.
//
// The sums are the same bits in every run: the grid depends on n alone, each thread adds its
// elements in order, warps and blocks add in a fixed order, and the block that draws the last
// ticket adds the blocks' partial sums in the order of the blocks.
// Traffic: what the Op reads and writes, and 8 kSums bytes per block. A scalar product (NVIDIA
// H200, CUDA 13.0, graph replay) of 32^2 elements takes 1.5 us, 64^2 2.7 us, 512^2 3.8 us,
// 2048^2 18.6 us (16.6 at the bandwidth of a copy), 4096^2 62.2 us (66.3).
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "gpu/device/block_sum.cuh"
#include "gpu/device/element_launch.h"
#include "gpu/device/launch_in_turn.cuh"
#include "solver/fields/element_op.h"

namespace slipfield {

namespace element_detail {

// One turn of a thread's loop.
template <class Op>
inline constexpr int kElementsAtOnce = 4;

// Up to this many elements one block does all work, two for each thread, without a ticket.
inline constexpr std::size_t kSingleBlock = 2048;
inline constexpr int kSingleBlockThreads = 1024;
inline constexpr int kBlockThreads = 256;

// of_card: see ElementSums.
template <class Op, int kThreads>
__global__ void __launch_bounds__(kThreads)
    element_kernel(const Op op, const std::size_t n, double* __restrict__ workspace,
                   double* of_card) {
  constexpr bool kSingle = kThreads == kSingleBlockThreads;
  constexpr int kAtOnce = kSingle ? 1 : kElementsAtOnce<Op>;
  begin_in_turn();
  constexpr int kSums = kSumsOf<Op>;
  constexpr int kSlots = kSums > 0 ? kSums : 1;
  double sums[kSlots] = {};
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kThreads;
  std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if constexpr (kAtOnce > 1) {
    for (; i + (kAtOnce - 1) * stride < n; i += kAtOnce * stride) {
#pragma unroll
      for (int u = 0; u < kAtOnce; ++u) op.element(i + u * stride, sums);
    }
  }
  for (; i < n; i += stride) op.element(i, sums);

  if constexpr (kSums > 0 || kHasFinish<Op>) {
    block_sum<kSums, kThreads>(sums);
    if (!kSingle && gridDim.x > 1) {
      unsigned* ticket = reinterpret_cast<unsigned*>(workspace);
      double* partial = workspace + 2;
      __shared__ bool last;
      if (threadIdx.x == 0) {
#pragma unroll
        for (int k = 0; k < kSums; ++k) partial[k * gridDim.x + blockIdx.x] = sums[k];
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;  // wraps to 0 for the next launch
      }
      __syncthreads();
      if (!last) return;
      __threadfence();
#pragma unroll
      for (int k = 0; k < kSums; ++k) {
        sums[k] = 0.0;
        for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads)
          sums[k] += __ldcg(partial + k * gridDim.x + b);
      }
      block_sum<kSums, kThreads>(sums);
    }
    if (threadIdx.x == 0) {
      if (kSums > 0 && of_card != nullptr) {
        for (int k = 0; k < kSums; ++k) of_card[k] = sums[k];
      } else {
        op.finish(sums);
      }
    }
  }
}

// Run by one thread, with the sums of several cards.
template <class Op>
__global__ void finish_kernel(const Op op, const double* sums, int cards) {
  begin_in_turn();
  double all[kSumsOf<Op>] = {};
  for (int card = 0; card < cards; ++card) {
    for (int k = 0; k < kSumsOf<Op>; ++k) all[k] += sums[card * kCardSums + k];
  }
  op.finish(all);
}

}  // namespace element_detail

template <class Op>
void launch_element_op(const Op& op, std::size_t n, const ElementSums& memory, cudaStream_t stream,
                       bool overlap) {
  using namespace element_detail;
  static_assert(kIsSound<Op>);
  static_assert(kSumsOf<Op> <= kElementMaxSums, "more sums than the workspace holds");
  static_assert(std::is_trivially_copyable_v<Op>, "an element operation is a plain struct");
  if constexpr (kSumsOf<Op> != 0 || kHasFinish<Op>) {
    if (n <= kSingleBlock) {
      launch_in_turn(element_kernel<Op, kSingleBlockThreads>, 1, kSingleBlockThreads, stream,
                     overlap, op, n, memory.workspace, memory.of_card);
      return;
    }
  }
  const std::size_t needed = (n + kBlockThreads - 1) / kBlockThreads;
  const unsigned blocks = static_cast<unsigned>(
      needed < kElementMaxBlocks ? (needed > 0 ? needed : 1) : kElementMaxBlocks);
  launch_in_turn(element_kernel<Op, kBlockThreads>, blocks, kBlockThreads, stream, overlap, op, n,
                 memory.workspace, memory.of_card);
}

template <class Op>
void launch_element_finish(const Op& op, const double* sums, int cards, cudaStream_t stream,
                           bool overlap) {
  if constexpr (kSumsOf<Op> != 0)
    launch_in_turn(element_detail::finish_kernel<Op>, 1, 1, stream, overlap, op, sums, cards);
}

}  // namespace slipfield
