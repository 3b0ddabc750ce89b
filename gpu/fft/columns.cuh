// SPDX-License-Identifier: Apache-2.0
// The column kernel of the fused product (gpu/fft/kernels.cuh), and of a line of elements. Mirrors
// solver/cpu/cpu_fft_convolution.h.
//
// Traffic of a column: 32 my bytes of it, and of its spectrum 4 ny (real quarter) to 16 ny
// (complex).
#pragma once

#include <cooperative_groups.h>

#include "gpu/fft/block.cuh"
#include "gpu/fft/kernels.h"

namespace slipfield {
namespace fft_detail {

#if SLIPFIELD_FUSED_FFT

// acc += S z for the 16 points t + s n/16 of column kx.
template <int E, class C, class Load>
__device__ __forceinline__ void add_spectrum_times(C (&acc)[E], const SpectrumView& spectrum,
                                                   int kx, int t, const FftPass& pass, Load&& z) {
  using Real = typename PairOf<C>::Real;
  if (spectrum.kind == SpectrumKind::real_quarter) {
    const double* __restrict__ values = spectrum.values + kx * spectrum.stride_x;
    Real factor[E];
#pragma unroll
    for (int s = 0; s < E; ++s) {
      const bool mirrored = s >= E / 2;
      const int k = mirrored ? (E - s) * pass.threads - t : t + s * pass.threads;
      factor[s] = static_cast<Real>(__ldg(values + k) *
                                    (mirrored ? spectrum.sign * spectrum.parity_y : spectrum.sign));
    }
    if (spectrum.imaginary != 0) {
#pragma unroll
      for (int s = 0; s < E; ++s) {
        const C value = z(s);
        acc[s].x = fma(-factor[s], value.y, acc[s].x);
        acc[s].y = fma(factor[s], value.x, acc[s].y);
      }
    } else {
#pragma unroll
      for (int s = 0; s < E; ++s) {
        const C value = z(s);
        acc[s].x = fma(factor[s], value.x, acc[s].x);
        acc[s].y = fma(factor[s], value.y, acc[s].y);
      }
    }
  } else {
    const bool half = spectrum.kind == SpectrumKind::complex_half;
    const double2* __restrict__ values =
        reinterpret_cast<const double2*>(spectrum.values) + kx * spectrum.stride_x;
#pragma unroll
    for (int s = 0; s < E; ++s) {
      const bool mirrored = half && s >= E / 2;
      const int k = mirrored ? (E - s) * pass.threads - t : t + s * pass.threads;
      const double factor = mirrored ? spectrum.sign * spectrum.parity_y : spectrum.sign;
      const double2 whole = __ldg(values + k);
      const C a =
          PairOf<C>::make(static_cast<Real>(whole.x * factor), static_cast<Real>(whole.y * factor));
      const C value = z(s);
      acc[s].x = fma(a.x, value.x, fma(-a.y, value.y, acc[s].x));
      acc[s].y = fma(a.x, value.y, fma(a.y, value.x, acc[s].y));
    }
  }
}

// Prefetches the input of block blocks_ahead into L2; run by one thread.
__device__ __forceinline__ void prefetch_columns(const ColumnArguments& a, int component, int kx) {
  const int next = kx + a.blocks_ahead * a.columns_per_block;
  if (next + a.columns_per_block > a.columns) return;
  prefetch_to_l2(a.work[component] + static_cast<std::size_t>(next) * a.pitch,
                 a.columns_per_block * a.pitch * sizeof(double2));
  const SpectrumView& spectrum = a.spectrum[component][component];
  const std::size_t reals = (spectrum.kind == SpectrumKind::real_quarter ? 1 : 2) *
                            spectrum.stride_x;  // of a column: a multiple of 4
  if (spectrum.kind != SpectrumKind::none)
    prefetch_to_l2(spectrum.values + next * reals, a.columns_per_block * reals * sizeof(double));
}

// A thread's points of a column or a line, 0 beyond its my.
template <int E, bool kHalf, bool kLine, class C>
__device__ __forceinline__ void load_column(C (&v)[E], const ColumnArguments& a, int component,
                                            const C* column, int t, bool takes) {
#pragma unroll
  for (int s = 0; s < E; ++s) {
    const int y = t + s * a.pass.threads;
    v[s] = PairOf<C>::make(0, 0);
    if (kHalf && s >= E / 2) continue;
    if (takes && y < a.my) {
      if constexpr (kLine) {
        v[s].x = a.in[component][y];
      } else {
        v[s] = column[y];
      }
    }
  }
}

// acc += the spectra times the transforms v of all components that couple. Ends with a barrier.
template <int E, int kCluster, class C>
__device__ __forceinline__ void multiply_spectra(C (&acc)[E], const C (&v)[E],
                                                 const ColumnArguments& a, int component, int kx,
                                                 int t, C* shared, bool active) {
  if constexpr (kCluster == 1) {
    if (active)
      add_spectrum_times<E>(acc, a.spectrum[component][component], kx, t, a.pass,
                            [&](int s) { return v[s]; });
    __syncthreads();
  } else {
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    const int stride = padded<E>(a.pass.threads);
    __syncthreads();
    if (active) {
      C* to = shared + padded<E>(t);
#pragma unroll
      for (int s = 0; s < E; ++s) to[s * stride] = v[s];
    }
    cluster.sync();
    if (active && a.gives[component]) {
#pragma unroll 1
      for (int from = 0; from < kCluster; ++from) {
        const SpectrumView& spectrum = a.spectrum[component][from];
        if (spectrum.kind == SpectrumKind::none) continue;
        const C* remote = cluster.map_shared_rank(shared, from) + padded<E>(t);
        add_spectrum_times<E>(acc, spectrum, kx, t, a.pass,
                              [&](int s) { return remote[s * stride]; });
      }
    }
    cluster.sync();  // nobody reads this block's transform any more
  }
}

// The inverse's points, whose parts are swapped.
template <int E, bool kHalf, bool kLine, class C>
__device__ __forceinline__ void store_column(const C (&v)[E], const ColumnArguments& a,
                                             int component, C* column, int t) {
#pragma unroll
  for (int s = 0; s < E; ++s) {
    if (kHalf && s >= E / 2) continue;
    const int y = t + s * a.pass.threads;
    if (y < a.my) {
      if constexpr (kLine) {
        double* out = a.out[component] + y;
        *out = a.add ? *out + v[s].y : v[s].y;
      } else {
        column[y] = PairOf<C>::make(v[s].y, v[s].x);
      }
    }
  }
}

#endif  // SLIPFIELD_FUSED_FFT

// kCluster coupled components, one block of a cluster each, which read each other's transform from
// shared memory; kCluster = 1: the component is blockIdx.y. kLine: the column is the field itself,
// real. C: float2 for columns in single precision, which need half of the shared memory.
template <int E, int kCluster, bool kHalf, bool kLine, class C = double2>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    column_kernel(const __grid_constant__ ColumnArguments a) {
#if SLIPFIELD_FUSED_FFT
  extern __shared__ double2 shared_memory[];
  C* const shared_twiddles = reinterpret_cast<C*>(shared_memory);
  C* const shared_columns = shared_twiddles + a.pass.twiddle_count;
  const int component = kCluster == 1 ? blockIdx.y : blockIdx.x % kCluster;
  const int block = kCluster == 1 ? blockIdx.x : blockIdx.x / kCluster;
  const bool has_column = threadIdx.x < a.columns_per_block * a.pass.threads;
  const int local = has_column ? threadIdx.x / a.pass.threads : 0;
  const int t = has_column ? threadIdx.x - local * a.pass.threads : 0;
  const int kx = block * a.columns_per_block + local;
  const bool active = has_column && kx < a.columns;
  C* shared = shared_columns + local * a.pass.stride;
  C* column = reinterpret_cast<C*>(a.work[component]) + static_cast<std::size_t>(kx) * a.pitch;

  begin_transforms(shared_twiddles, a.pass);
  if (a.blocks_ahead != 0 && threadIdx.x == 0) prefetch_columns(a, component, kx);
  C v[E];
  load_column<E, kHalf, kLine>(v, a, component, column, t, active && a.takes[component]);
  fft_forward<E, kHalf>(v, shared, shared_twiddles, t, a.pass, active);

  C acc[E];
#pragma unroll
  for (int s = 0; s < E; ++s) acc[s] = PairOf<C>::make(0, 0);
  multiply_spectra<E, kCluster>(acc, v, a, component, kx, t, shared, active);
#pragma unroll
  for (int s = 0; s < E; ++s) v[s] = PairOf<C>::make(acc[s].y, acc[s].x);
  fft_forward<E, false>(v, shared, shared_twiddles, t, a.pass, active);
  if (active && a.gives[component]) store_column<E, kHalf, kLine>(v, a, component, column, t);
#endif
}

}  // namespace fft_detail
}  // namespace slipfield
