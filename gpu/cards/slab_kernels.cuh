// SPDX-License-Identifier: Apache-2.0
// What the products over several cards do besides cuFFT's transforms and copies (slab_product.cu).
#pragma once

#include <cuda_runtime.h>

#include "gpu/fft/spectrum_build.cuh"

namespace slipfield {
namespace slab_detail {

inline dim3 blocks_over(int columns, int rows) {
  return spectrum_detail::grid_over(columns, rows > 0 ? rows : 1);
}

// Rows of mx numbers to rows of nx, 0 behind them.
__global__ void pad_rows_kernel(const double* in, int mx, int nx, int rows, double* padded) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= nx) return;
  for (int y = blockIdx.y; y < rows; y += gridDim.y)
    padded[static_cast<std::size_t>(y) * nx + x] =
        x < mx ? in[static_cast<std::size_t>(y) * mx + x] : 0.0;
}

__global__ void cut_rows_kernel(const double* padded, int mx, int nx, int rows, bool add,
                                double* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= mx) return;
  for (int y = blockIdx.y; y < rows; y += gridDim.y) {
    const double value = padded[static_cast<std::size_t>(y) * nx + x];
    double* to = out + static_cast<std::size_t>(y) * mx + x;
    *to = add ? *to + value : value;
  }
}

// Transforms of length 1, which cuFFT has none of.
__global__ void to_complex_kernel(const double* in, int count, double2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = make_double2(in[i], 0.0);
}
__global__ void to_real_kernel(const double2* in, int count, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i].x;
}

// Rows first .. first + rows of the padded table of coefficients, offsets x as a transform has
// them; 0 half a transform away in an odd direction.
template <class F>
__global__ void fill_table_rows_kernel(const F function, int nx, int ny, int first, int rows,
                                       TableSymmetry symmetry, double* table) {
  const int ix = blockIdx.x * blockDim.x + threadIdx.x;
  if (ix >= nx) return;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    const int iy = first + row;
    const bool zero = (symmetry.x < 0 && 2 * ix == nx) || (symmetry.y < 0 && 2 * iy == ny);
    table[static_cast<std::size_t>(row) * nx + ix] =
        zero ? 0.0 : function(spectrum_detail::signed_index(ix, nx), iy);
  }
}

// Of a panel of `width` columns side by side, the rows behind ny/2 by those before it.
__global__ void mirror_rows_kernel(double2* panel, int width, int ny, double parity) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width) return;
  for (int ky = ny / 2 + 1 + blockIdx.y; ky < ny; ky += gridDim.y) {
    const double2 value = panel[static_cast<std::size_t>(ny - ky) * width + c];
    panel[static_cast<std::size_t>(ky) * width + c] =
        make_double2(parity * value.x, parity * value.y);
  }
}

// A panel's transform into columns first .. first + columns of `own` in a spectrum.
__global__ void store_panel_kernel(const double2* panel, int width, int rows, int first,
                                   int columns, int own, bool imaginary, double scale,
                                   double* values) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  for (int ky = blockIdx.y; ky < rows; ky += gridDim.y) {
    const double2 value = panel[static_cast<std::size_t>(ky) * width + c];
    values[static_cast<std::size_t>(ky) * own + first + c] =
        scale * (imaginary ? value.y : value.x);
  }
}

// The symbol at columns kx = first .. first + own, ky < rows.
template <class F>
__global__ void fill_symbol_rows_kernel(const F symbol, int nx, int ny, int first, int own,
                                        int rows, double scale, double* values) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= own) return;
  for (int ky = blockIdx.y; ky < rows; ky += gridDim.y)
    values[static_cast<std::size_t>(ky) * own + c] =
        scale * symbol(spectrum_detail::signed_index(first + c, nx),
                       spectrum_detail::signed_index(ky, ny));
}

struct PanelSpectrum {
  const double* values;  // from the panel's first column on
  int own;               // columns from one ky to the next
  bool imaginary;
  double sign;
  double parity_y;
};

// Columns c < columns of a panel by their spectrum.
__global__ void multiply_panel_kernel(double2* panel, int width, int columns, int ny,
                                      const PanelSpectrum s) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  for (int ky = blockIdx.y; ky < ny; ky += gridDim.y) {
    const bool mirrored = 2 * ky > ny;
    const double factor = mirrored ? s.sign * s.parity_y : s.sign;
    const double value =
        factor * s.values[static_cast<std::size_t>(mirrored ? ny - ky : ky) * s.own + c];
    double2& z = panel[static_cast<std::size_t>(ky) * width + c];
    z = s.imaginary ? make_double2(-value * z.y, value * z.x)
                    : make_double2(value * z.x, value * z.y);
  }
}

// As invert_kernel of gpu/fft/spectrum.cu, of a real or imaginary spectrum.
__global__ void invert_values_kernel(const double* values, std::size_t count, double scale,
                                     double cut, bool imaginary, double* to) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const double a = values[i] / scale;
    const double size = a * a + cut * cut;
    const double inverted = size > 0.0 ? scale * a / size : 0.0;
    to[i] = imaginary ? -inverted : inverted;
  }
}

__global__ void largest_value_kernel(const double* values, std::size_t count,
                                     unsigned long long* largest) {
  double found = 0.0;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    found = fmax(found, fabs(values[i]));
  atomicMax(largest, static_cast<unsigned long long>(__double_as_longlong(found)));
}

}  // namespace slab_detail
}  // namespace slipfield
