// SPDX-License-Identifier: Apache-2.0
// The kernels of the fused product: rows, columns with the multiplication, rows back; the single
// kernel of a line; and the kernel that makes spectra. Mirrors solver/cpu/cpu_fft_convolution.h.
//
// Rows are transformed in pairs: row 2i + i row 2i+1 is one complex transform of length nx. The
// half-complex spectra are stored column by column, [kx][pitch] with pitch >= my, so that a column
// is contiguous: the column kernel reads my numbers of it, transforms ny in registers and shared
// memory, multiplies, transforms back and overwrites my numbers. Padding is neither stored nor
// read.
//
// Traffic of one component on a free grid, doubles, nx = 2mx, ny = 2my, real quarter spectrum:
//   rows 8 mx my + 16 mx my;  columns 32 mx my + 8 mx my;  rows back 16 mx my + 8 mx my
// = 88 bytes per element: 1024^2 0.023 ms, 4096^2 0.365 ms at the 4.07 TB/s that a copy reaches.
// Measured (NVIDIA H200, CUDA 13.0, one product in a replayed graph; whole-array cuFFT in
// brackets):
//   normal      256^2 0.0105 (0.0248)  512^2 0.0203 (0.0517)  1024^2 0.0491 (0.172)
//              2048^2 0.202 (0.711)   4096^2 0.963 (3.21) ms
//   tangential  256^2 0.0139 (0.0467)  512^2 0.0306 (0.101)   1024^2 0.116 (0.354)
//              2048^2 0.474 (1.37)    4096^2 2.32 (6.22) ms
// At 4096^2 the column kernel takes 0.5 ms: one block of 16 warps fills a multiprocessor, and its
// loads, arithmetic (36 % of the double pipe) and trips through shared memory follow one another.
//
// Each kernel is launched before the previous one has ended; it loads everything independent of
// that one, then waits (wait_for_previous).
#pragma once

#include "gpu/fft/block.cuh"
#include "gpu/fft/columns.cuh"
#include "gpu/fft/kernels.h"
#include "gpu/fft/rows.cuh"

namespace slipfield {

// The columns of a table's rows of transforms, transformed into a spectrum (gpu/fft/spectrum.h).
//
// Traffic of a column: 16 ny bytes of it, and of its spectrum 4 ny (real quarter) to 16 ny
// (complex).

namespace fft_detail {

template <int E>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    spectrum_kernel(const __grid_constant__ SpectrumArguments a) {
#if SLIPFIELD_FUSED_FFT
  extern __shared__ double2 shared_twiddles[];
  double2* shared_columns = shared_twiddles + a.pass.twiddle_count;
  const bool has_column = threadIdx.x < a.columns_per_block * a.pass.threads;
  const int local = has_column ? threadIdx.x / a.pass.threads : 0;
  const int t = has_column ? threadIdx.x - local * a.pass.threads : 0;
  const int kx = blockIdx.x * a.columns_per_block + local;
  const bool active = has_column && kx < a.columns;
  const double2* column = a.work + static_cast<std::size_t>(kx) * a.pitch;

  begin_transforms(shared_twiddles, a.pass);
  double2 v[E];
#pragma unroll
  for (int s = 0; s < E; ++s)
    v[s] = active ? column[t + s * a.pass.threads] : make_double2(0.0, 0.0);
  fft_forward<E, false>(v, shared_columns + local * a.pass.stride, shared_twiddles, t, a.pass,
                        active);
  if (!active) return;
#pragma unroll
  for (int s = 0; s < E; ++s) {
    const int ky = t + s * a.pass.threads;
    if (ky >= a.rows) continue;
    const std::size_t at = kx * a.stride_x + ky;
    if (a.real) {
      a.values[at] = a.scale * (a.imaginary ? v[s].y : v[s].x);
    } else {
      a.values[2 * at] = a.scale * v[s].x;
      a.values[2 * at + 1] = a.scale * v[s].y;
    }
  }
#endif
}

}  // namespace fft_detail

namespace fft_detail {

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
  kernels.single_columns[0] = column_kernel<E, 1, true, false, float2>;
  kernels.single_columns[1] = column_kernel<E, 2, true, false, float2>;
  kernels.line[0] = column_kernel<E, 1, false, true>;
  kernels.line[1] = column_kernel<E, 2, false, true>;
  kernels.line[2] = column_kernel<E, 3, false, true>;
  kernels.spectrum = spectrum_kernel<E>;
  return kernels;
}

}  // namespace fft_detail

}  // namespace slipfield
