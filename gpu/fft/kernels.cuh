// SPDX-License-Identifier: Apache-2.0
// The three kernels of the fused product: rows, columns with the multiplication, rows back; and the
// line's one; that which makes spectra. Mirrors solver/cpu/cpu_fft_convolution.h.
//
// Rows go in pairs: row 2i + i row 2i+1 is one complex transform of length nx. The half-complex
// spectra lie column by column, [kx][pitch] with pitch >= my, so that a column is contiguous: the
// column kernel reads my numbers of it, transforms ny in registers and shared memory, multiplies,
// transforms back and writes my numbers over them. Padding is neither stored nor read.
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
// Each kernel is launched before the one ahead of it has ended and waits (wait_for_previous) once
// it has loaded what does not depend on it.
#pragma once

#include "gpu/fft/columns.cuh"
#include "gpu/fft/kernels.h"
#include "gpu/fft/rows.cuh"
#include "gpu/fft/spectrum_columns.cuh"

namespace slipfield {
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
  kernels.line[0] = column_kernel<E, 1, false, true>;
  kernels.line[1] = column_kernel<E, 2, false, true>;
  kernels.line[2] = column_kernel<E, 3, false, true>;
  kernels.spectrum = spectrum_kernel<E>;
  return kernels;
}

}  // namespace fft_detail
}  // namespace slipfield
