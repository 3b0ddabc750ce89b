// SPDX-License-Identifier: Apache-2.0
// Builds a DeviceSpectrum from a function on the device: of the offset between two elements, or of
// the wave number.
#pragma once

#include <cuda_runtime.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

#include "gpu/device/cuda_check.h"
#include "gpu/device/launch_grid.h"
#include "gpu/fft/spectrum.h"
#include "gpu/summation/coefficient_table.h"
#include "solver/influence/block.h"
#include "solver/influence/half_space_symbol.h"

namespace slipfield {

// Makes the spectrum of a symmetric table in a quarter of the memory of its whole transform, a few
// rows and columns at a time, for grids whose whole transform does not fit.

// Writes `rows` rows of the table, nx numbers each, from row `first`; row numbers are modulo ny.
using FillTableRows = std::function<void(int first, int rows, double* table)>;

// Returns whether the spectrum is made this way: two-dimensional, a real quarter, with cuFFT's
// shapes, and large. All others keep the bits of a whole transform.
bool transforms_in_quarters(const DeviceSpectrum& spectrum);

// Rows of an even table have real transforms, those of an odd one imaginary ones, and so do columns
// of these: only half of the rows, with one number per column, are kept (THEORY.md 2.6).
void transform_quarter(const FillTableRows& fill, DeviceSpectrum& spectrum, cudaStream_t stream);

// The functions that spectra are built from: coefficients by offset, the symbol by wave number, a
// sum of other spectra.
struct RecipeFunction {
  CoefficientRecipe recipe;
  __device__ double operator()(int dx, int dy) const { return recipe.at(dx, dy); }
};

struct PeriodicSymbol {
  Component component;
  CombinedMaterial material;
  TableSymmetry symmetry;
  int mx;
  int my;
  double unit_x;  // 2 pi/(length of the grid in x)
  double unit_y;
  LayerImages layers;
  __device__ double operator()(int kx, int ky) const {
    if (kx == 0 && ky == 0) return 0.0;
    // At the highest wave number of an even count, +q and -q are one: an odd symbol is 0 there.
    const bool highest_x = 2 * abs(kx) == mx;
    const bool highest_y = 2 * abs(ky) == my;
    if ((symmetry.x < 0 && highest_x) || (symmetry.y < 0 && highest_y)) return 0.0;
    const double part = half_space_symbol_part(component, unit_x * kx, unit_y * ky, material);
    return layers.count == 0
               ? part
               : part + image_symbol_part(component, unit_x * kx, unit_y * ky, layers);
  }
};

// a = identity + sum of weight * stored / scale.
struct SymbolSum {
  const double* values[2];
  double weight[2];
  double identity;
  double scale;
  bool real;
  bool imaginary;  // real: what is stored are imaginary parts
  // The number to use instead of the first one, the mean's, if that is 0. See invertible_at() in
  // solver/cpu/fft/convolution_rows.h; 0: none.
  std::size_t short_wave;
  __device__ double2 operator()(std::size_t i) const {
    double2 a = make_double2(identity, 0.0);
    for (int k = 0; k < 2; ++k) {
      if (values[k] == nullptr) continue;
      if (real) {
        const std::size_t at = i == 0 && has_no_mean(values[k]) ? short_wave : i;
        const double part = weight[k] * (values[k][at] / scale);
        if (imaginary) {
          a.y += part;
        } else {
          a.x += part;
        }
      } else {
        a.x += weight[k] * (values[k][2 * i] / scale);
        a.y += weight[k] * (values[k][2 * i + 1] / scale);
      }
    }
    return a;
  }
  __device__ bool has_no_mean(const double* of) const {
    return of[0] == 0.0 || (!imaginary && fabs(of[0]) < kNoMean * fabs(of[short_wave]));
  }
  // to[i] = scale conj(a)/(|a|^2 + cut^2), 0 where both are 0; stored as the terms are
  __device__ void store_inverse(std::size_t i, double cut, double* to) const {
    const double2 a = (*this)(i);
    const double size = a.x * a.x + a.y * a.y + cut * cut;
    const double factor = size > 0.0 ? scale / size : 0.0;
    if (real) {
      to[i] = imaginary ? -factor * a.y : factor * a.x;
    } else {
      to[2 * i] = factor * a.x;
      to[2 * i + 1] = -factor * a.y;
    }
  }
};

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
