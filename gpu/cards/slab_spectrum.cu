// SPDX-License-Identifier: Apache-2.0
// Spectra of which each card has its columns. Mirrors solver/ranks/slab_influence.cpp. Once per
// grid, not per product: cuFFT does the transforms.
#include <algorithm>

#include "gpu/cards/slab_transforms.cuh"
#include "gpu/fft/spectrum_functions.cuh"

namespace slipfield {

using namespace slab_detail;

namespace {

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

// A panel's transform into a spectrum, from the panel's first column on.
__global__ void store_panel_kernel(const double2* panel, int width, int rows, int columns,
                                   std::size_t stride_x, std::size_t stride_y, bool imaginary,
                                   double scale, double* values) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  for (int ky = blockIdx.y; ky < rows; ky += gridDim.y) {
    const double2 value = panel[static_cast<std::size_t>(ky) * width + c];
    values[c * stride_x + ky * stride_y] = scale * (imaginary ? value.y : value.x);
  }
}

// The symbol at columns kx = first .. first + own, ky < rows.
template <class F>
__global__ void fill_symbol_rows_kernel(const F symbol, int nx, int ny, int first, int own,
                                        int rows, double scale, std::size_t stride_x,
                                        std::size_t stride_y, double* values) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= own) return;
  for (int ky = blockIdx.y; ky < rows; ky += gridDim.y)
    values[c * stride_x + ky * stride_y] =
        scale *
        symbol(spectrum_detail::signed_index(first + c, nx), spectrum_detail::signed_index(ky, ny));
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

}  // namespace

SlabSpectrum SlabProduct::Impl::empty_spectrum(TableSymmetry symmetry) const {
  SlabSpectrum spectrum;
  if (shape.fused) {  // columns are contiguous: what the fused pass reads
    spectrum.stride_x = (as_size(half_rows()) + 3) / 4 * 4;
    spectrum.values = DeviceArray<double>(as_size(columns.count) * spectrum.stride_x);
  } else {
    spectrum.stride_y = as_size(columns.count);
    spectrum.values = DeviceArray<double>(as_size(columns.count) * as_size(half_rows()));
  }
  spectrum.values.zero(stream);
  const bool odd_x = symmetry.x < 0 && shape.nx > 1;
  const bool odd_y = symmetry.y < 0 && shape.ny > 1;
  spectrum.imaginary = odd_x != odd_y;
  spectrum.parity_y = odd_y ? -1.0 : 1.0;
  return spectrum;
}

// Rows 0 .. ny/2 of the padded table, transformed along x.
void SlabProduct::Impl::fill_table(SharedRows& table, const CoefficientRecipe& recipe) {
  const RowRange own = rows_of(card, table.rows);
  RowPlans last;
  last.make(shape.nx, own.count % shape.rows_batch, stream);
  for (int row = 0; row < own.count; row += shape.rows_batch) {
    const int count = std::min(shape.rows_batch, own.count - row);
    fill_table_rows_kernel<<<blocks_over(shape.nx, count), 128, 0, stream>>>(
        RecipeFunction{recipe}, shape.nx, shape.ny, own.first + row, count, recipe.symmetry(),
        batch.data());
    SLIPFIELD_LAUNCH_CHECK("fill_table_rows_kernel");
    forward(batch.data(), count, table.own.data() + as_size(row) * shape.columns(),
            count == shape.rows_batch ? full : last);
  }
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));  // before the last plan goes
}

SlabSpectrum SlabProduct::spectrum(Component component, const CombinedMaterial& material) {
  Impl& m = *impl_;
  const Grid& grid = m.shape.grid;
  CoefficientRecipe recipe;
  recipe.component = component;
  recipe.material = material;
  recipe.dx = grid.dx;
  recipe.dy = grid.dy;
  const TableSymmetry symmetry = recipe.symmetry();
  SlabSpectrum spectrum = m.empty_spectrum(symmetry);
  const int nx = m.shape.nx;
  const int ny = m.shape.ny;
  if (grid.boundary == Boundary::periodic) {
    if (m.columns.count == 0) return spectrum;
    constexpr double kTwoPi = 6.28318530717958647692;
    const PeriodicSymbol symbol{component,
                                material,
                                symmetry,
                                grid.mx,
                                grid.my,
                                kTwoPi / (grid.mx * grid.dx),
                                kTwoPi / (grid.my * grid.dy)};
    fill_symbol_rows_kernel<<<blocks_over(m.columns.count, m.half_rows()), 128, 0, m.stream>>>(
        symbol, nx, ny, m.columns.first, m.columns.count, m.half_rows(), m.scale(),
        spectrum.stride_x, spectrum.stride_y, spectrum.values.data());
    SLIPFIELD_LAUNCH_CHECK("fill_symbol_rows_kernel");
    return spectrum;
  }
  m.plan_cufft();
  SharedRows table = m.shared_rows(m.half_rows(), false);
  m.fill_table(table, recipe);
  m.each_panel([&](Panel& panel, int first, int width) {
    m.move(panel, first, width, table, Impl::Way::bring);
    mirror_rows_kernel<<<blocks_over(m.shape.panel, ny / 2), 128, 0, panel.stream.get()>>>(
        panel.values.data(), m.shape.panel, ny, symmetry.y < 0 ? -1.0 : 1.0);
    SLIPFIELD_LAUNCH_CHECK("mirror_rows_kernel");
    panel.transform(ny, CUFFT_FORWARD);
    store_panel_kernel<<<blocks_over(width, m.half_rows()), 128, 0, panel.stream.get()>>>(
        panel.values.data(), m.shape.panel, m.half_rows(), width, spectrum.stride_x,
        spectrum.stride_y, spectrum.imaginary, m.scale(),
        spectrum.values.data() + as_size(first) * spectrum.stride_x);
    SLIPFIELD_LAUNCH_CHECK("store_panel_kernel");
  });
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(m.stream));  // all have read the table
  return spectrum;
}

SlabSpectrum SlabProduct::inverse(const SlabSpectrum& spectrum, double relative_cut) const {
  Impl& m = *impl_;
  SlabSpectrum result;
  result.values = DeviceArray<double>(spectrum.values.size());
  result.imaginary = spectrum.imaginary;
  result.parity_y = spectrum.parity_y;
  result.stride_x = spectrum.stride_x;
  result.stride_y = spectrum.stride_y;
  const std::size_t count = spectrum.values.size();
  DeviceArray<unsigned long long> bits(1);
  bits.zero(m.stream);
  constexpr int kBlocks = 1024;
  largest_value_kernel<<<kBlocks, 256, 0, m.stream>>>(spectrum.values.data(), count, bits.data());
  SLIPFIELD_LAUNCH_CHECK("largest_value_kernel");
  double own = 0.0;
  SLIPFIELD_CUDA_CHECK(
      cudaMemcpyAsync(&own, bits.data(), sizeof own, cudaMemcpyDeviceToHost, m.stream));
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(m.stream));
  const double largest = m.team.greatest(m.card, own) / m.scale();
  invert_values_kernel<<<kBlocks, 256, 0, m.stream>>>(spectrum.values.data(), count, m.scale(),
                                                      relative_cut * largest, spectrum.imaginary,
                                                      result.values.data());
  SLIPFIELD_LAUNCH_CHECK("invert_values_kernel");
  return result;
}

}  // namespace slipfield
