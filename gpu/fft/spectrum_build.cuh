// SPDX-License-Identifier: Apache-2.0
// Builds a DeviceSpectrum from a function on the device: of the offset between two elements, or of
// the wave number.
#pragma once

#include <cuda_runtime.h>

#include "gpu/device/cuda_check.h"
#include "gpu/device/launch_grid.h"
#include "gpu/fft/quarter_spectrum.h"
#include "gpu/fft/spectrum.h"

namespace slipfield {

namespace spectrum_detail {

// Index i of a transform of length n as a signed number, -n/2 < k <= n/2.
__host__ __device__ inline int signed_index(int i, int n) { return 2 * i > n ? i - n : i; }

// table[row][ix] = function(offset x, offset y) for `rows` rows starting with row `first`, modulo
// ny; 0 at offset n/2 of an odd direction. `symmetry` and nx, ny are the transform's; `transposed`
// swaps the offsets back into the grid's.
template <class F>
__global__ void fill_table_kernel(const F function, int nx, int ny, int first, int rows,
                                  bool transposed, TableSymmetry symmetry, double* table) {
  const int ix = blockIdx.x * blockDim.x + threadIdx.x;
  if (ix >= nx) return;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    const int iy = (first + row) % ny;
    const int x = signed_index(ix, nx);
    const int y = signed_index(iy, ny);
    const bool zero = (symmetry.x < 0 && 2 * ix == nx) || (symmetry.y < 0 && 2 * iy == ny);
    table[static_cast<std::size_t>(row) * nx + ix] =
        zero ? 0.0 : function(transposed ? y : x, transposed ? x : y);  // one copy of its code
  }
}

// values(kx, ky) = scale symbol(kx, ky), signed wave indices.
template <class F>
__global__ void fill_symbol_kernel(const F symbol, int columns, int rows, int nx, int ny,
                                   bool transposed, double scale, std::size_t stride_x,
                                   std::size_t stride_y, double* values) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    const int kx = signed_index(column, nx);
    const int ky = signed_index(row, ny);
    values[column * stride_x + row * stride_y] =
        scale * symbol(transposed ? ky : kx, transposed ? kx : ky);
  }
}

}  // namespace spectrum_detail

// `function`: __device__ double operator()(int dx, int dy) const, offsets in elements, receiving
// minus loaded; it is called at the nearest periodic offset for the padding.
template <class F>
DeviceSpectrum spectrum_from_function(const FftShape& shape, const F& function,
                                      TableSymmetry symmetry, cudaStream_t stream) {
  const auto fill = [&](int first, int rows, double* table) {
    spectrum_detail::fill_table_kernel<<<blocks_over(shape.nx, rows), kColumnThreads, 0, stream>>>(
        function, shape.nx, shape.ny, first, rows, shape.transposed(),
        transform_symmetry(shape, symmetry), table);
    SLIPFIELD_LAUNCH_CHECK("fill_table_kernel");
  };
  DeviceSpectrum spectrum(shape, spectrum_kind(shape, symmetry), symmetry, stream);
  if (transforms_in_quarters(spectrum)) {
    transform_quarter(fill, spectrum, stream);
    return spectrum;
  }
  DeviceArray<double> table(static_cast<std::size_t>(shape.nx) * shape.ny);
  fill(0, shape.ny, table.data());
  transform_table(shape, table, spectrum, stream);
  return spectrum;
}

// `symbol`: __device__ double operator()(int kx, int ky) const, the eigenvalue at signed wave
// indices (wave number 2 pi kx/(nx dx)): real, or with one odd direction its imaginary part.
template <class F>
DeviceSpectrum spectrum_from_symbol(const FftShape& shape, const F& symbol, TableSymmetry symmetry,
                                    cudaStream_t stream) {
  DeviceSpectrum spectrum(shape, SpectrumKind::real_quarter, symmetry, stream);
  const SpectrumView view = spectrum.view();
  const int rows = shape.ny / 2 + 1;
  spectrum_detail::
      fill_symbol_kernel<<<blocks_over(shape.columns(), rows), kColumnThreads, 0, stream>>>(
          symbol, shape.columns(), rows, shape.nx, shape.ny, shape.transposed(), shape.scale(),
          view.stride_x, view.stride_y, spectrum.values());
  SLIPFIELD_LAUNCH_CHECK("fill_symbol_kernel");
  return spectrum;
}

}  // namespace slipfield
