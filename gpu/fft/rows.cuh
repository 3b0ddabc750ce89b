// SPDX-License-Identifier: Apache-2.0
// The row kernels of the fused product (gpu/fft/kernels.cuh). Mirrors
// solver/cpu/cpu_fft_convolution.h.
//
// Row 2i + i row 2i+1 is one complex transform; two rows of one column are neighbours in memory.
// Traffic of a row pair: 16 mx bytes of the field and 32 (nx/2 + 1) of the columns.
#pragma once

#include "gpu/fft/block.cuh"
#include "gpu/fft/kernels.h"

namespace slipfield {
namespace fft_detail {

// A thread's share of the block's row pairs, and where they lie in shared memory.
struct RowPlace {
  double2* twiddles;
  double2* rows;    // of all pairs
  double2* shared;  // of this thread's pair
  int first_row;    // of the block
  int pair, t;      // 0 where the thread has none
  bool active;

  __device__ __forceinline__ RowPlace(const RowArguments& a, double2* memory)
      : twiddles(memory),
        rows(memory + a.pass.twiddle_count),
        first_row(blockIdx.x * 2 * a.pairs),
        active(static_cast<int>(threadIdx.x) < a.pairs * a.pass.threads) {
    pair = active ? threadIdx.x / a.pass.threads : 0;
    t = active ? threadIdx.x - pair * a.pass.threads : 0;
    shared = rows + pair * a.pass.stride;
  }
};

// Frequency k of the first (0) or the second row of a pair, from the transform z of both:
// A(k) = (Z(k) + conj Z(n-k))/2, B(k) = (Z(k) - conj Z(n-k))/(2i).
template <int E, class C>
__device__ __forceinline__ C row_of_pair(const C* z, int n, int k, int second) {
  constexpr typename PairOf<C>::Real kHalf = 0.5;
  const C plus = z[padded<E>(k)];
  const C minus = z[padded<E>(k == 0 ? 0 : n - k)];
  return second == 0 ? PairOf<C>::make(kHalf * (plus.x + minus.x), kHalf * (plus.y - minus.y))
                     : PairOf<C>::make(kHalf * (plus.y + minus.y), kHalf * (minus.x - plus.x));
}

// The inverse, by the two threads with frequency k <= n/2 of the first and of the second row: Z(k)
// = A(k) + i B(k), Z(n-k) = conj A(k) + i conj B(k). other: the other thread's.
template <int E, class C>
__device__ __forceinline__ void store_pair(C* z, int n, int k, int second, C mine, C other) {
  if (second == 0) {
    z[padded<E>(k)] = PairOf<C>::make(mine.x - other.y, mine.y + other.x);
  } else if (k != 0) {
    z[padded<E>(n - k)] = PairOf<C>::make(other.x + mine.y, mine.x - other.y);
  }
}

// The rows of component blockIdx.y. kHalf: at most half of the nx points are not padding.
template <int E, bool kHalf>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    row_forward_kernel(const __grid_constant__ RowArguments a) {
#if SLIPFIELD_FUSED_FFT
  extern __shared__ double2 shared_twiddles[];
  const RowPlace at(a, shared_twiddles);
  const double* __restrict__ in = a.in[blockIdx.y];

  const int row = at.first_row + 2 * at.pair;
  const bool has_first = at.active && row < a.my;
  const bool has_second = at.active && row + 1 < a.my;
  const double* first = in + static_cast<std::size_t>(row) * a.mx;
  const double* second = first + a.mx;
  begin_transforms(at.twiddles, a.pass);
  if (a.blocks_ahead != 0 && threadIdx.x == 0) {
    const std::size_t elements = 2 * static_cast<std::size_t>(a.pairs) * a.mx;
    const std::size_t from = (blockIdx.x + a.blocks_ahead) * elements;
    if (from + elements <= static_cast<std::size_t>(a.mx) * a.my)
      prefetch_to_l2(in + from, elements * sizeof(double));
  }
  double2 v[E];
#pragma unroll
  for (int s = 0; s < E; ++s) {
    const int x = at.t + s * a.pass.threads;
    v[s] = make_double2(0.0, 0.0);
    if (kHalf && s >= E / 2) continue;
    if (x < a.mx) {
      if (has_first) v[s].x = first[x];
      if (has_second) v[s].y = second[x];
    }
  }
  transform_points<E, kHalf>(v, at.shared, at.twiddles, at.t, a.pass, at.active);

  // Neighbouring threads write neighbouring rows of one column: 32 bytes per pair.
  const int n = a.pass.n;
  const int rows = 2 * a.pairs;
  double2* __restrict__ work = a.work[blockIdx.y];
  const auto write = [&](int k, int local) {
    if (at.first_row + local >= a.my) return;
    work[static_cast<std::size_t>(k) * a.pitch + at.first_row + local] =
        row_of_pair<E>(at.rows + (local >> 1) * a.pass.stride, n, k, local & 1);
  };
  for (int w = threadIdx.x; w < n / 2 * rows; w += blockDim.x)
    write(w >> a.pair_shift, w & (rows - 1));
  if (threadIdx.x < rows) write(n / 2, threadIdx.x);
#endif
}

// Moves row pairs from the columns to shared memory. All loads of a thread (n/2 numbers of 2 rows
// by n/E threads: E) are in flight before the first is used. Ends with a barrier.
template <int E>
__device__ __forceinline__ void join_row_pairs(const RowArguments& a, int first_row,
                                               double2* shared_rows) {
  const int n = a.pass.n;
  const int rows = 2 * a.pairs;
  const int count = n / 2 * rows;
  const double2* __restrict__ work = a.work[blockIdx.y];
  const auto read = [&](int k, int local) {
    return first_row + local < a.my
               ? work[static_cast<std::size_t>(k) * a.pitch + first_row + local]
               : make_double2(0.0, 0.0);
  };
  double2 mine[E];
#pragma unroll
  for (int u = 0; u < E; ++u) {
    const int w = threadIdx.x + u * blockDim.x;
    mine[u] = w < count ? read(w >> a.pair_shift, w & (rows - 1)) : make_double2(0.0, 0.0);
  }
  double2 nyquist = make_double2(0.0, 0.0);
  if (threadIdx.x < rows) nyquist = read(n / 2, threadIdx.x);
#pragma unroll
  for (int u = 0; u < E; ++u) {
    const int w = threadIdx.x + u * blockDim.x;
    const int local = w & (rows - 1);
    const int k = w >> a.pair_shift;
    double2 other;
    other.x = __shfl_xor_sync(0xffffffffu, mine[u].x, 1);
    other.y = __shfl_xor_sync(0xffffffffu, mine[u].y, 1);
    if (w >= count) continue;
    store_pair<E>(shared_rows + (local >> 1) * a.pass.stride, n, k, local & 1, mine[u], other);
  }
  if (threadIdx.x < 32) {
    double2 other;
    other.x = __shfl_xor_sync(0xffffffffu, nyquist.x, 1);
    other.y = __shfl_xor_sync(0xffffffffu, nyquist.y, 1);
    if (threadIdx.x < rows && (threadIdx.x & 1) == 0)
      store_pair<E>(shared_rows + (threadIdx.x >> 1) * a.pass.stride, n, n / 2, 0, nyquist, other);
  }
  __syncthreads();
}

template <int E, bool kHalf>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    row_inverse_kernel(const __grid_constant__ RowArguments a) {
#if SLIPFIELD_FUSED_FFT
  extern __shared__ double2 shared_twiddles[];
  const RowPlace at(a, shared_twiddles);

  begin_transforms(at.twiddles, a.pass);
  join_row_pairs<E>(a, at.first_row, at.rows);
  double2 v[E];
  invert_points<E>(v, at.shared, at.twiddles, at.t, a.pass, at.active);

  const int row = at.first_row + 2 * at.pair;
  const bool has_first = at.active && row < a.my;
  const bool has_second = at.active && row + 1 < a.my;
  double* first = a.out[blockIdx.y] + static_cast<std::size_t>(row) * a.mx;
  double* second = first + a.mx;
#pragma unroll
  for (int s = 0; s < E; ++s) {
    if (kHalf && s >= E / 2) continue;
    const int x = at.t + s * a.pass.threads;
    if (x < a.mx) {
      if (has_first) first[x] = a.add ? first[x] + v[s].y : v[s].y;
      if (has_second) second[x] = a.add ? second[x] + v[s].x : v[s].x;
    }
  }
#endif
}

}  // namespace fft_detail
}  // namespace slipfield
