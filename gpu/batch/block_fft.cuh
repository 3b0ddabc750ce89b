// SPDX-License-Identifier: Apache-2.0
// Two-dimensional transforms of one contact by one block, in place in shared memory, or in memory
// of its own where the padded grid is too large for that.
//
// A line of n = P Q points goes through two passes: butterflies of P points Q apart, rotations,
// butterflies of Q adjacent points. Frequency f then lies at (f mod P) Q + f/P, and the way back
// takes the passes in the reverse order, so that no pass needs a second buffer and one barrier
// follows each. The threads of a warp take neighbouring lines: rows lie an odd number of points
// apart, columns next to each other, and no bank is asked twice.
//
// Traffic: each pass reads and writes every point once. 64 x 64 points of which a quarter is loaded
// and a quarter wanted are 7 passes of 4096 points for a product, 0.46 MB of shared memory in
// single precision, 3,600 clocks at 128 bytes each.
#pragma once

#include <cuda_runtime.h>

#include "gpu/fft/butterflies.cuh"

namespace slipfield {

// Lines of a transform: points, and where they lie. `loaded` of the n points are not zero before a
// forward transform, and wanted after a backward one.
struct BlockLines {
  int n = 1;
  int count = 1;
  unsigned reciprocal = 0;  // ceil(2^20/count): i/count = i reciprocal >> 20
  int point = 1;            // from one point to the next
  int line = 1;
  int loaded = 1;
};

namespace block_fft_detail {

using namespace fft_detail;

template <class C>
__device__ __forceinline__ C swapped(C a) {
  return PairOf<C>::make(a.y, a.x);
}

// Butterflies of P points: forward the first pass, backward the last.
template <int P, int Q, bool kForward, class C>
__device__ __forceinline__ void wide_pass(C* field, const BlockLines& l, const C* twiddles) {
  for (int i = threadIdx.x; i < l.count * Q; i += blockDim.x) {
    const int q = static_cast<int>((static_cast<unsigned>(i) * l.reciprocal) >> 20);
    C* const at = field + (i - q * l.count) * l.line + q * l.point;
    C x[P];
    if (kForward) {
#pragma unroll
      for (int p = 0; p < P; ++p)
        x[p] = p * Q + q < l.loaded ? at[p * Q * l.point] : PairOf<C>::make(0, 0);
      dft<P>(x);
      at[0] = x[0];
#pragma unroll
      for (int p = 1; p < P; ++p) at[p * Q * l.point] = times(x[p], twiddles[p * q]);
    } else {
      x[0] = swapped(at[0]);
#pragma unroll
      for (int p = 1; p < P; ++p) x[p] = times(swapped(at[p * Q * l.point]), twiddles[p * q]);
      dft<P>(x);
#pragma unroll
      for (int p = 0; p < P; ++p)
        if (p * Q + q < l.loaded) at[p * Q * l.point] = swapped(x[p]);
    }
  }
  __syncthreads();
}

// Butterflies of Q adjacent points: forward the last pass, backward the first.
template <int P, int Q, bool kForward, class C>
__device__ __forceinline__ void narrow_pass(C* field, const BlockLines& l) {
  for (int i = threadIdx.x; i < l.count * P; i += blockDim.x) {
    const int p = static_cast<int>((static_cast<unsigned>(i) * l.reciprocal) >> 20);
    C* const at = field + (i - p * l.count) * l.line + p * Q * l.point;
    C x[Q];
#pragma unroll
    for (int q = 0; q < Q; ++q) x[q] = kForward ? at[q * l.point] : swapped(at[q * l.point]);
    dft<Q>(x);
#pragma unroll
    for (int q = 0; q < Q; ++q) at[q * l.point] = kForward ? x[q] : swapped(x[q]);
  }
  __syncthreads();
}

template <int P, int Q, class C>
__device__ __forceinline__ void forward(C* field, const BlockLines& l, const C* twiddles) {
  wide_pass<P, Q, true>(field, l, twiddles);
  narrow_pass<P, Q, true>(field, l);
}

template <int P, int Q, class C>
__device__ __forceinline__ void backward(C* field, const BlockLines& l, const C* twiddles) {
  narrow_pass<P, Q, false>(field, l);
  wide_pass<P, Q, false>(field, l, twiddles);
}

}  // namespace block_fft_detail

// The lengths that lines may have, and their first factor (gpu/batch/batch_shape.h).
#define SLIPFIELD_EACH_BLOCK_LENGTH(CASE) \
  CASE(16, 4, 4)                          \
  CASE(32, 4, 8)                          \
  CASE(48, 6, 8) CASE(64, 8, 8) CASE(96, 8, 12) CASE(128, 8, 16) CASE(144, 12, 12) CASE(192, 12, 16)

// Transforms all lines. twiddles[k] = exp(-2 pi i k/n). Every thread of the block calls it, behind
// a barrier, and one follows. Nothing is normalised.
template <bool kForward, class C>
__device__ __noinline__ void transform_lines(C* field, const BlockLines l, const C* twiddles) {
  switch (l.n) {
#define SLIPFIELD_CASE(N, P, Q)                             \
  case N:                                                   \
    if (kForward)                                           \
      block_fft_detail::forward<P, Q>(field, l, twiddles);  \
    else                                                    \
      block_fft_detail::backward<P, Q>(field, l, twiddles); \
    break;
    SLIPFIELD_EACH_BLOCK_LENGTH(SLIPFIELD_CASE)
#undef SLIPFIELD_CASE
    default:  // one point: nothing to do
      break;
  }
}

}  // namespace slipfield
