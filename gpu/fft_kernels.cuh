// The three kernels of the fused product: rows, columns with the multiplication, rows back; and the
// line's one. Mirrors solver/cpu_fft_convolution.h.
//
// Rows go in pairs: row 2i + i row 2i+1 is one complex transform of length nx. The half-complex
// spectra lie column by column, [kx][pitch] with pitch >= my, so that a column is contiguous: the
// column kernel reads my numbers of it, transforms ny in registers and shared memory, multiplies,
// transforms back and writes my numbers over them. Padding is neither stored nor read.
//
// Traffic of one component on a free grid, doubles, nx = 2mx, ny = 2my, real quarter spectrum:
//   rows 8 mx my + 16 mx my;  columns 32 mx my + 8 mx my;  rows back 16 mx my + 8 mx my
// = 88 bytes per element: 1024^2 0.023 ms, 4096^2 0.36 ms at 4.07 TB/s.
//
// Each kernel is launched before the one ahead of it has ended and waits (wait_for_previous) once it
// has loaded what does not depend on it.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "gpu/fft_block.cuh"
#include "gpu/fft_kernels.h"

namespace slipfield {
namespace fft_detail {

__device__ __forceinline__ void wait_for_previous() { cudaGridDependencySynchronize(); }
__device__ __forceinline__ void let_next_start() { cudaTriggerProgrammaticLaunchCompletion(); }

// Asks for the whole 128-byte line: the neighbouring blocks read its other rows in a moment.
__device__ __forceinline__ double2 load_line(const double2* from, bool hint) {
  double2 value;
  if (!hint) return __ldg(from);
  asm volatile("ld.global.nc.L2::128B.v2.f64 {%0, %1}, [%2];"
               : "=d"(value.x), "=d"(value.y)
               : "l"(from));
  return value;
}

// The rows of component blockIdx.y. kHalf: at most half of the nx points are not padding.
template <int E, bool kHalf>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    row_forward_kernel(const __grid_constant__ RowArguments a) {
  extern __shared__ double2 shared_twiddles[];
  double2* shared_rows = shared_twiddles + a.pass.twiddle_count;
  const bool active = threadIdx.x < a.pairs * a.pass.threads;
  const int pair = active ? threadIdx.x / a.pass.threads : 0;
  const int t = active ? threadIdx.x - pair * a.pass.threads : 0;
  double2* shared = shared_rows + pair * a.pass.stride;
  const int first_row = blockIdx.x * 2 * a.pairs;
  const double* __restrict__ in = a.in[blockIdx.y];

  const int row = first_row + 2 * pair;
  const bool has_first = active && row < a.my;
  const bool has_second = active && row + 1 < a.my;
  const double* first = in + static_cast<std::size_t>(row) * a.mx;
  const double* second = first + a.mx;
  load_twiddles(shared_twiddles, a.pass);
  wait_for_previous();
  let_next_start();
  double2 v[E];
#pragma unroll
  for (int s = 0; s < E; ++s) {
    const int x = t + s * a.pass.threads;
    v[s] = make_double2(0.0, 0.0);
    if (kHalf && s >= E / 2) continue;
    if (x < a.mx) {
      if (has_first) v[s].x = first[x];
      if (has_second) v[s].y = second[x];
    }
  }
  fft_forward<E, kHalf>(v, shared, shared_twiddles, t, a.pass, active);
  __syncthreads();
  if (active) {
#pragma unroll
    for (int s = 0; s < E; ++s) shared[padded<E>(t + s * a.pass.threads)] = v[s];
  }
  __syncthreads();

  // Pairs apart: A(k) = (Z(k) + conj Z(n-k))/2, B(k) = (Z(k) - conj Z(n-k))/(2i). Neighbouring
  // threads write neighbouring rows of one column: 32 bytes per pair.
  const int n = a.pass.n;
  const int rows = 2 * a.pairs;
  double2* __restrict__ work = a.work[blockIdx.y];
  for (int w = threadIdx.x; w < (n / 2 + 1) * rows; w += blockDim.x) {
    const int local = w & (rows - 1);
    const int k = w >> a.pair_shift;
    if (first_row + local >= a.my) continue;
    const double2* z = shared_rows + (local >> 1) * a.pass.stride;
    const double2 plus = z[padded<E>(k)];
    const double2 minus = z[padded<E>(k == 0 ? 0 : n - k)];
    const double2 value = (local & 1) == 0
                              ? make_double2(0.5 * (plus.x + minus.x), 0.5 * (plus.y - minus.y))
                              : make_double2(0.5 * (plus.y + minus.y), 0.5 * (minus.x - plus.x));
    work[static_cast<std::size_t>(k) * a.pitch + first_row + local] = value;
  }
}

template <int E, bool kHalf>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    row_inverse_kernel(const __grid_constant__ RowArguments a) {
  extern __shared__ double2 shared_twiddles[];
  double2* shared_rows = shared_twiddles + a.pass.twiddle_count;
  const bool active = threadIdx.x < a.pairs * a.pass.threads;
  const int pair = active ? threadIdx.x / a.pass.threads : 0;
  const int t = active ? threadIdx.x - pair * a.pass.threads : 0;
  double2* shared = shared_rows + pair * a.pass.stride;
  const int first_row = blockIdx.x * 2 * a.pairs;

  load_twiddles(shared_twiddles, a.pass);
  wait_for_previous();
  let_next_start();

  // Z(k) = A(k) + i B(k), Z(n-k) = conj A(k) + i conj B(k), from the neighbour's half. Eight loads
  // are in flight before the first is used.
  const int n = a.pass.n;
  const int rows = 2 * a.pairs;
  const int count = (n / 2 + 1) * rows;
  const double2* __restrict__ work = a.work[blockIdx.y];
  constexpr int kFlight = 8;
  for (int w0 = threadIdx.x; w0 - static_cast<int>(threadIdx.x) < count;
       w0 += kFlight * blockDim.x) {
    double2 mine[kFlight];
#pragma unroll
    for (int u = 0; u < kFlight; ++u) {
      const int w = w0 + u * blockDim.x;
      const int local = w & (rows - 1);
      mine[u] = make_double2(0.0, 0.0);
      if (w < count && first_row + local < a.my)
        mine[u] = load_line(
            work + static_cast<std::size_t>(w >> a.pair_shift) * a.pitch + first_row + local, a.hint);
    }
#pragma unroll
    for (int u = 0; u < kFlight; ++u) {
      const int w = w0 + u * blockDim.x;
      const int local = w & (rows - 1);
      const int k = w >> a.pair_shift;
      double2 other;
      other.x = __shfl_xor_sync(0xffffffffu, mine[u].x, 1);
      other.y = __shfl_xor_sync(0xffffffffu, mine[u].y, 1);
      if (w >= count) continue;
      double2* z = shared_rows + (local >> 1) * a.pass.stride;
      if ((local & 1) == 0) {
        z[padded<E>(k)] = make_double2(mine[u].x - other.y, mine[u].y + other.x);
      } else if (k != 0 && 2 * k != n) {
        z[padded<E>(n - k)] = make_double2(other.x + mine[u].y, mine[u].x - other.y);
      }
    }
  }
  __syncthreads();
  double2 v[E];
#pragma unroll
  for (int s = 0; s < E; ++s) {
    const double2 z = shared[padded<E>(t + s * a.pass.threads)];
    v[s] = make_double2(z.y, z.x);
  }
  __syncthreads();
  fft_forward<E, false>(v, shared, shared_twiddles, t, a.pass, active);

  const int row = first_row + 2 * pair;
  const bool has_first = active && row < a.my;
  const bool has_second = active && row + 1 < a.my;
  double* first = a.out[blockIdx.y] + static_cast<std::size_t>(row) * a.mx;
  double* second = first + a.mx;
#pragma unroll
  for (int s = 0; s < E; ++s) {
    if (kHalf && s >= E / 2) continue;
    const int x = t + s * a.pass.threads;
    if (x < a.mx) {
      if (has_first) first[x] = a.add ? first[x] + v[s].y : v[s].y;
      if (has_second) second[x] = a.add ? second[x] + v[s].x : v[s].x;
    }
  }
}

// acc += S z for the 16 points t + s n/16 of column kx.
template <int E, class Load>
__device__ __forceinline__ void add_spectrum_times(double2 (&acc)[E],
                                                   const SpectrumView& spectrum, int kx, int t,
                                                   const FftPass& pass, Load&& z) {
  if (spectrum.kind == SpectrumKind::real_quarter) {
    const double* __restrict__ values = spectrum.values + kx * spectrum.stride_x;
    double factor[E];
#pragma unroll
    for (int s = 0; s < E; ++s) {
      const bool mirrored = s >= E / 2;
      const int k = mirrored ? (E - s) * pass.threads - t : t + s * pass.threads;
      factor[s] = __ldg(values + k) * (mirrored ? spectrum.sign * spectrum.parity_y : spectrum.sign);
    }
    if (spectrum.imaginary != 0) {
#pragma unroll
      for (int s = 0; s < E; ++s) {
        const double2 value = z(s);
        acc[s].x = fma(-factor[s], value.y, acc[s].x);
        acc[s].y = fma(factor[s], value.x, acc[s].y);
      }
    } else {
#pragma unroll
      for (int s = 0; s < E; ++s) {
        const double2 value = z(s);
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
      double2 a = __ldg(values + k);
      a.x *= factor;
      a.y *= factor;
      const double2 value = z(s);
      acc[s].x = fma(a.x, value.x, fma(-a.y, value.y, acc[s].x));
      acc[s].y = fma(a.x, value.y, fma(a.y, value.x, acc[s].y));
    }
  }
}

// kCluster components that couple, one block of a cluster each, which read each other's transform
// from shared memory; kCluster = 1: the component is blockIdx.y. kLine: the field itself is the
// column, real.
template <int E, int kCluster, bool kHalf, bool kLine>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    column_kernel(const __grid_constant__ ColumnArguments a) {
  namespace cg = cooperative_groups;
  extern __shared__ double2 shared_twiddles[];
  double2* shared_columns = shared_twiddles + a.pass.twiddle_count;
  const int component = kCluster == 1 ? blockIdx.y : blockIdx.x % kCluster;
  const int block = kCluster == 1 ? blockIdx.x : blockIdx.x / kCluster;
  const bool has_column = threadIdx.x < a.columns_per_block * a.pass.threads;
  const int local = has_column ? threadIdx.x / a.pass.threads : 0;
  const int t = has_column ? threadIdx.x - local * a.pass.threads : 0;
  const int kx = block * a.columns_per_block + local;
  const bool active = has_column && kx < a.columns;
  double2* shared = shared_columns + local * a.pass.stride;
  double2* column = a.work[component] + static_cast<std::size_t>(kx) * a.pitch;

  load_twiddles(shared_twiddles, a.pass);
  wait_for_previous();
  let_next_start();
  double2 v[E];
  const bool takes = active && a.takes[component];
#pragma unroll
  for (int s = 0; s < E; ++s) {
    const int y = t + s * a.pass.threads;
    v[s] = make_double2(0.0, 0.0);
    if (kHalf && s >= E / 2) continue;
    if (takes && y < a.my) {
      if constexpr (kLine) {
        v[s].x = a.in[component][y];
      } else {
        v[s] = column[y];
      }
    }
  }
  fft_forward<E, kHalf>(v, shared, shared_twiddles, t, a.pass, active);

  double2 acc[E];
#pragma unroll
  for (int s = 0; s < E; ++s) acc[s] = make_double2(0.0, 0.0);
  if constexpr (kCluster == 1) {
    if (active)
      add_spectrum_times<E>(acc, a.spectrum[component][component], kx, t, a.pass,
                         [&](int s) { return v[s]; });
    __syncthreads();
  } else {
    cg::cluster_group cluster = cg::this_cluster();
    __syncthreads();
    if (active) {
#pragma unroll
      for (int s = 0; s < E; ++s) shared[padded<E>(t + s * a.pass.threads)] = v[s];
    }
    cluster.sync();
    if (active && a.gives[component]) {
#pragma unroll 1
      for (int from = 0; from < kCluster; ++from) {
        const SpectrumView& spectrum = a.spectrum[component][from];
        if (spectrum.kind == SpectrumKind::none) continue;
        const double2* remote = cluster.map_shared_rank(shared, from);
        add_spectrum_times<E>(acc, spectrum, kx, t, a.pass,
                           [&](int s) { return remote[padded<E>(t + s * a.pass.threads)]; });
      }
    }
    cluster.sync();  // nobody reads this block's transform any more
  }
#pragma unroll
  for (int s = 0; s < E; ++s) v[s] = make_double2(acc[s].y, acc[s].x);
  fft_forward<E, false>(v, shared, shared_twiddles, t, a.pass, active);

  if (!active || !a.gives[component]) return;
#pragma unroll
  for (int s = 0; s < E; ++s) {
    if (kHalf && s >= E / 2) continue;
    const int y = t + s * a.pass.threads;
    if (y < a.my) {
      if constexpr (kLine) {
        double* out = a.out[component] + y;
        *out = a.add ? *out + v[s].y : v[s].y;
      } else {
        column[y] = make_double2(v[s].y, v[s].x);
      }
    }
  }
}

template <int E>
FftKernels make_fft_kernels() {
  FftKernels kernels;
  kernels.rows_forward[0] = row_forward_kernel<E, false>;
  kernels.rows_forward[1] = row_forward_kernel<E, true>;
  kernels.rows_inverse[0] = row_inverse_kernel<E, false>;
  kernels.rows_inverse[1] = row_inverse_kernel<E, true>;
  kernels.columns[0][0] = column_kernel<E, 1, false, false>;
  kernels.columns[0][1] = column_kernel<E, 1, true, false>;
  kernels.columns[1][0] = column_kernel<E, 2, false, false>;
  kernels.columns[1][1] = column_kernel<E, 2, true, false>;
  kernels.columns[2][0] = column_kernel<E, 3, false, false>;
  kernels.columns[2][1] = column_kernel<E, 3, true, false>;
  kernels.line[0] = column_kernel<E, 1, false, true>;
  kernels.line[1] = column_kernel<E, 2, false, true>;
  kernels.line[2] = column_kernel<E, 3, false, true>;
  return kernels;
}

}  // namespace fft_detail
}  // namespace slipfield
