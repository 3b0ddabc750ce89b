// SPDX-License-Identifier: Apache-2.0
// Complex forward transform of up to 8192 points by one block, in registers and shared memory.
//
// Stockham's self-sorting passes: thread t of a transform's n/E threads holds the points t + s n/E,
// s < E, before and after, both in natural order. The inverse is the same transform on points whose
// real and imaginary parts are swapped, before and after; nothing is normalised. The passes of a
// length are data (gpu/fft/shape.h), so one kernel serves every length.
//
// One pass moves 32 bytes per point through shared memory (128 bytes per clock and multiprocessor)
// and, with E = 16, costs 14 to 18 double instructions per point (64 per clock): the two limits are
// close.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "gpu/fft/butterflies.cuh"
#include "gpu/fft/shape.h"

// The kernels of the fused product use features of compute capability 9.0; in code for older cards
// they are empty, and runs_fused_fft() (gpu/device/device_limits.h) keeps them from starting.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define SLIPFIELD_FUSED_FFT 1
#else
#define SLIPFIELD_FUSED_FFT 0
#endif

namespace slipfield {

#if SLIPFIELD_FUSED_FFT
namespace fft_detail {

// With these one kernel of the fused product begins before the previous one has ended.
__device__ __forceinline__ void wait_for_previous() { cudaGridDependencySynchronize(); }
__device__ __forceinline__ void let_next_start() { cudaTriggerProgrammaticLaunchCompletion(); }

// Prefetches memory that a later block will read into L2: loads for one block overlap the
// arithmetic of the previous one even if only one or two fit on a multiprocessor.
__device__ __forceinline__ void prefetch_to_l2(const void* from, std::size_t bytes) {
  const std::size_t address = reinterpret_cast<std::size_t>(from) & ~std::size_t{15};
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;"
               :
               : "l"(address), "r"(static_cast<unsigned>(bytes & ~std::size_t{15}))
               : "memory");
}

}  // namespace fft_detail
#endif

// FftLength in the form that kernels take, by value.
struct FftPass {
  int n = 0;
  int threads = 0;  // n/E
  int middle[2] = {0, 0};
  int butterflies[2] = {0, 0};  // n/middle
  int finals = 0;
  // For each pass after the first: spacing, the product of the radices before it, and its
  // reciprocal ceil(2^20/spacing), so that j/spacing = j reciprocal >> 20 for the j that occur (j
  // spacing < 2^20).
  int spacing[kFftMaxPasses] = {};
  unsigned reciprocal[kFftMaxPasses] = {};
  int stride = 0;  // fft_shared_stride
  int twiddle_count = 0;
  const double2* twiddles = nullptr;  // device
};

inline FftPass make_fft_pass(const FftLength& length, const double2* twiddles) {
  FftPass pass;
  pass.n = length.n;
  pass.threads = length.n / length.per_thread;
  pass.finals = length.finals;
  pass.stride = fft_shared_stride(length.n, length.per_thread);
  pass.twiddles = twiddles;
  int spacing = length.per_thread;
  int index = 0;
  const auto add_pass = [&](int radix) {
    pass.spacing[index] = spacing;
    pass.reciprocal[index] = ((1u << 20) + spacing - 1) / spacing;
    pass.twiddle_count += spacing;
    spacing *= radix;
    ++index;
  };
  for (int p = 0; p < 2; ++p) {
    pass.middle[p] = length.middle[p];
    if (length.middle[p] == 0) continue;
    pass.butterflies[p] = length.n / length.middle[p];
    add_pass(length.middle[p]);
  }
  for (int pass_index = 0; pass_index < length.finals; ++pass_index) add_pass(length.per_thread);
  return pass;
}

namespace fft_detail {

// The threads that work on one transform, and so synchronise between its passes: the block or one
// warp.
struct BlockSync {
  static __device__ __forceinline__ void wait() { __syncthreads(); }
};
struct WarpSync {
  static __device__ __forceinline__ void wait() { __syncwarp(); }
};

// padded(i + r stride) = padded(i) + r padded(stride) for strides that are multiples of E.
template <int E>
__device__ __forceinline__ int padded(int i) {
  constexpr int kShift = fft_pad_shift(E);
  return i + (i >> kShift);
}

template <int E, int R, class Sync, class C>
__device__ __forceinline__ void middle_pass(C* shared, int t, const FftPass& pass, int p,
                                            const C* twiddles, bool active) {
  constexpr int kButterflies = (E + R - 1) / R;  // per thread; not all where R does not divide E
  C u[kButterflies][R];
  const int count = pass.butterflies[p];
  const int spacing = pass.spacing[p];
  const unsigned reciprocal = pass.reciprocal[p];
  const int read_stride = padded<E>(count);
  const int write_stride = padded<E>(spacing);
#pragma unroll
  for (int b = 0; b < kButterflies; ++b) {
    // A thread too many repeats the last butterfly and does not store it. (Loading under a
    // condition would keep u alive around the loop over the passes.)
    const int j = min(t + b * pass.threads, count - 1);
    const int remainder = j - static_cast<int>((j * reciprocal) >> 20) * spacing;
    const C* from = shared + padded<E>(j);
#pragma unroll
    for (int r = 0; r < R; ++r) u[b][r] = from[r * read_stride];
    twiddle<R>(u[b], twiddles[remainder]);
    dft<R>(u[b]);
  }
  Sync::wait();
#pragma unroll
  for (int b = 0; b < kButterflies; ++b) {
    const int j = t + b * pass.threads;
    if (active && j < count) {
      const int first = j + static_cast<int>((j * reciprocal) >> 20) * spacing * (R - 1);
      C* to = shared + padded<E>(first);
#pragma unroll
      for (int r = 0; r < R; ++r) to[r * write_stride] = u[b][r];
    }
  }
  Sync::wait();
}

}  // namespace fft_detail

// Copies the twiddles to shared memory; visible after the first barrier of fft_forward.
template <class C>
__device__ __forceinline__ void load_twiddles(C* shared_twiddles, const FftPass& pass) {
  using Real = typename fft_detail::PairOf<C>::Real;
  for (int i = threadIdx.x; i < pass.twiddle_count; i += blockDim.x) {
    const double2 whole = __ldg(pass.twiddles + i);
    shared_twiddles[i] =
        fft_detail::PairOf<C>::make(static_cast<Real>(whole.x), static_cast<Real>(whole.y));
  }
}

#if SLIPFIELD_FUSED_FFT
// The beginning of a kernel of transforms: loads the twiddles, which no earlier kernel writes, then
// waits for the earlier ones.
template <class C>
__device__ __forceinline__ void begin_transforms(C* shared_twiddles, const FftPass& pass) {
  load_twiddles(shared_twiddles, pass);
  fft_detail::wait_for_previous();
  fft_detail::let_next_start();
}
#endif

// v[s] = point t + s n/E. Every thread of the block (or warp) calls it; threads without a transform
// pass active = false with another's t and `shared`: they read but do not write. It first writes
// `shared`, so the caller must place a barrier before. kUpperHalfZero: v[s] = 0 for s >= E/2.
template <int E, bool kUpperHalfZero, class Sync = fft_detail::BlockSync, class C>
__device__ __forceinline__ void fft_forward(C (&v)[E], C* shared, const C* twiddles, int t,
                                            const FftPass& pass, bool active) {
  using namespace fft_detail;
  if constexpr (kUpperHalfZero && E == 16) {
    dft16_half(v);
  } else {
    dft<E>(v);
  }
  if (active) {
#pragma unroll
    for (int r = 0; r < E; ++r) shared[(E + 1) * t + r] = v[r];
  }
  Sync::wait();
  int index = 0;
#pragma unroll 1
  for (int p = 0; p < 2; ++p) {
    switch (pass.middle[p]) {
      case 2:
        middle_pass<E, 2, Sync>(shared, t, pass, p, twiddles, active);
        break;
      case 3:
        middle_pass<E, 3, Sync>(shared, t, pass, p, twiddles, active);
        break;
      case 5:
        middle_pass<E, 5, Sync>(shared, t, pass, p, twiddles, active);
        break;
      case 6:
        middle_pass<E, 6, Sync>(shared, t, pass, p, twiddles, active);
        break;
      case 10:
        middle_pass<E, 10, Sync>(shared, t, pass, p, twiddles, active);
        break;
      case 4:
        if constexpr (E > 4) middle_pass<E, 4, Sync>(shared, t, pass, p, twiddles, active);
        break;
      case 8:
        if constexpr (E > 8) middle_pass<E, 8, Sync>(shared, t, pass, p, twiddles, active);
        break;
      default:
        break;
    }
    if (pass.middle[p] != 0) twiddles += pass.spacing[index++];
  }
  const C* from = shared + padded<E>(t);
  const int read_stride = padded<E>(pass.threads);
#pragma unroll 1
  for (int left = pass.finals;; --left, ++index) {
#pragma unroll
    for (int s = 0; s < E; ++s) v[s] = from[s * read_stride];
    const int spacing = pass.spacing[index];
    const int quotient = static_cast<int>((t * pass.reciprocal[index]) >> 20);
    twiddle<E>(v, twiddles[t - quotient * spacing]);
    twiddles += spacing;
    dft<E>(v);
    if (left == 1) return;
    Sync::wait();
    if (active) {
      C* to = shared + padded<E>(t + quotient * spacing * (E - 1));
      const int write_stride = padded<E>(spacing);
#pragma unroll
      for (int r = 0; r < E; ++r) to[r * write_stride] = v[r];
    }
    Sync::wait();
  }
}

// Like fft_forward, then stores all points in shared memory, padded. Ends with a barrier.
template <int E, bool kUpperHalfZero, class Sync = fft_detail::BlockSync, class C>
__device__ __forceinline__ void transform_points(C (&v)[E], C* shared, const C* twiddles, int t,
                                                 const FftPass& pass, bool active) {
  using fft_detail::padded;
  fft_forward<E, kUpperHalfZero, Sync>(v, shared, twiddles, t, pass, active);
  Sync::wait();
  if (active) {
    C* to = shared + padded<E>(t);
    const int stride = padded<E>(pass.threads);
#pragma unroll
    for (int s = 0; s < E; ++s) to[s * stride] = v[s];
  }
  Sync::wait();
}

// Reads the points back into v for the inverse, with real and imaginary parts swapped. The caller
// must place a barrier before.
template <int E, class Sync = fft_detail::BlockSync, class C>
__device__ __forceinline__ void invert_points(C (&v)[E], C* shared, const C* twiddles, int t,
                                              const FftPass& pass, bool active) {
  using fft_detail::padded;
  const C* from = shared + padded<E>(t);
  const int stride = padded<E>(pass.threads);
#pragma unroll
  for (int s = 0; s < E; ++s) {
    const C z = from[s * stride];
    v[s] = fft_detail::PairOf<C>::make(z.y, z.x);
  }
  Sync::wait();
  fft_forward<E, false, Sync>(v, shared, twiddles, t, pass, active);
}

}  // namespace slipfield
