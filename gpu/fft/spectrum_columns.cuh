// SPDX-License-Identifier: Apache-2.0
// The columns of a table's rows of transforms, transformed into a spectrum (gpu/fft/spectrum.h).
//
// Traffic of a column: 16 ny bytes of it, and of its spectrum 4 ny (real quarter) to 16 ny
// (complex).
#pragma once

#include "gpu/fft/block.cuh"
#include "gpu/fft/kernels.h"
#include "gpu/fft/launch_overlap.cuh"

namespace slipfield {
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
}  // namespace slipfield
