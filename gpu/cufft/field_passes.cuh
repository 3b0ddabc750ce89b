// SPDX-License-Identifier: Apache-2.0
// The kernels between cuFFT's transforms: pad and cut rows of fields, multiply columns by their
// spectra. For gpu/cufft/cufft_product.cu and gpu/cards.
#pragma once

#include <cuda_runtime.h>

#include "gpu/cufft/batched_fft.h"
#include "gpu/device/fields.h"
#include "gpu/fft/spectrum.h"

namespace slipfield {
namespace cufft_detail {

// Pads my rows of mx numbers with 0 to ny rows of nx.
static __global__ void pad_kernel(const double* in, int mx, int my, int nx, int ny,
                                  double* padded) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= nx) return;
  for (int y = blockIdx.y; y < ny; y += gridDim.y)
    padded[static_cast<std::size_t>(y) * nx + x] =
        x < mx && y < my ? in[static_cast<std::size_t>(y) * mx + x] : 0.0;
}

static __global__ void cut_kernel(const double* padded, int mx, int my, int nx, bool add,
                                  double* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= mx) return;
  for (int y = blockIdx.y; y < my; y += gridDim.y) {
    const double value = padded[static_cast<std::size_t>(y) * nx + x];
    double* to = out + static_cast<std::size_t>(y) * mx + x;
    *to = add ? *to + value : value;
  }
}

// Adjacent columns: row ky of a block has `width` numbers, of which the columns first .. columns -
// 1 exist.
struct MultiplyArguments {
  double2* block[kDirections];
  bool takes[kDirections];
  bool gives[kDirections];
  SpectrumView spectrum[kDirections][kDirections];
  int columns;
  int first;  // column of the block
  int width;
  int ny;
};

static __global__ void multiply_kernel(const __grid_constant__ MultiplyArguments a) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int kx = a.first + c;
  if (c >= a.width || kx >= a.columns) return;
  for (int ky = blockIdx.y; ky < a.ny; ky += gridDim.y) {
    const std::size_t at = static_cast<std::size_t>(ky) * a.width + c;
    double2 in[kDirections];
    double2 out[kDirections];
#pragma unroll
    for (int d = 0; d < kDirections; ++d)
      in[d] = a.takes[d] ? a.block[d][at] : make_double2(0.0, 0.0);
#pragma unroll
    for (int to = 0; to < kDirections; ++to) {
      out[to] = make_double2(0.0, 0.0);
#pragma unroll
      for (int from = 0; from < kDirections; ++from) {
        const SpectrumView& s = a.spectrum[to][from];
        if (s.kind == SpectrumKind::none) continue;
        const bool mirrored = s.kind != SpectrumKind::complex_full && 2 * ky > a.ny;
        const std::size_t i = kx * s.stride_x + (mirrored ? a.ny - ky : ky) * s.stride_y;
        const double factor = mirrored ? s.sign * s.parity_y : s.sign;
        double2 value;
        if (s.kind == SpectrumKind::real_quarter) {
          const double real = factor * s.values[i];
          value = s.imaginary != 0 ? make_double2(0.0, real) : make_double2(real, 0.0);
        } else {
          value = make_double2(factor * s.values[2 * i], factor * s.values[2 * i + 1]);
        }
        out[to].x += value.x * in[from].x - value.y * in[from].y;
        out[to].y += value.x * in[from].y + value.y * in[from].x;
      }
    }
#pragma unroll
    for (int d = 0; d < kDirections; ++d)
      if (a.gives[d]) a.block[d][at] = out[d];
  }
}

}  // namespace cufft_detail
}  // namespace slipfield
