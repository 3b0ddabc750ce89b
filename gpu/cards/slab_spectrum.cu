// SPDX-License-Identifier: Apache-2.0
// Spectra distributed by columns over cards. Mirrors gpu/fft/spectrum.cu. Runs once per grid or
// step length, not per product: cuFFT does the transforms.
#include <algorithm>

#include "gpu/cards/slab_transforms.cuh"
#include "gpu/fft/spectrum_build.cuh"

namespace slipfield {

using namespace slab_detail;

namespace {

// The symbol from a card's first column on.
struct SymbolFromColumn {
  PeriodicSymbol symbol;
  int first;
  __device__ double operator()(int kx, int ky) const { return symbol(first + kx, ky); }
};

// Fills the rows after ny/2 from those before it, in a panel of `width` adjacent columns.
__global__ void mirror_rows_kernel(double2* panel, int width, int ny, double parity) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width) return;
  for (int ky = ny / 2 + 1 + blockIdx.y; ky < ny; ky += gridDim.y) {
    const double2 value = panel[static_cast<std::size_t>(ny - ky) * width + c];
    panel[static_cast<std::size_t>(ky) * width + c] =
        make_double2(parity * value.x, parity * value.y);
  }
}

// The part of a number that a spectrum keeps.
enum class Kept { real, imaginary, both };

// Stores a panel's transform in a spectrum, from the panel's first column on.
__global__ void store_panel_kernel(const double2* panel, int width, int rows, int columns,
                                   std::size_t stride_x, std::size_t stride_y, Kept kept,
                                   double scale, double* values) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  for (int ky = blockIdx.y; ky < rows; ky += gridDim.y) {
    const double2 value = panel[static_cast<std::size_t>(ky) * width + c];
    const std::size_t at = c * stride_x + ky * stride_y;
    if (kept == Kept::both) {
      values[2 * at] = scale * value.x;
      values[2 * at + 1] = scale * value.y;
    } else {
      values[at] = scale * (kept == Kept::imaginary ? value.y : value.x);
    }
  }
}

__global__ void largest_value_kernel(const SymbolSum symbol, std::size_t count,
                                     unsigned long long* largest) {
  double found = 0.0;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const double2 a = symbol(i);
    found = fmax(found, hypot(a.x, a.y));
  }
  atomicMax(largest, static_cast<unsigned long long>(__double_as_longlong(found)));
}

__global__ void invert_values_kernel(const SymbolSum symbol, std::size_t count, double cut,
                                     double* to) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    symbol.store_inverse(i, cut, to);
  }
}

Kept kept_of(const SlabSpectrum& spectrum) {
  if (spectrum.kind != SpectrumKind::real_quarter) return Kept::both;
  return spectrum.imaginary ? Kept::imaginary : Kept::real;
}

std::size_t numbers_of(const SlabSpectrum& spectrum) {
  return spectrum.values.size() / (spectrum.kind == SpectrumKind::real_quarter ? 1 : 2);
}

}  // namespace

SlabSpectrum SlabProduct::Impl::empty_spectrum(TableSymmetry symmetry) const {
  const bool symmetric_x = shape.nx == 1 || symmetry.x != 0;
  const bool symmetric_y = shape.ny == 1 || symmetry.y != 0;
  SlabSpectrum spectrum;
  spectrum.kind = !symmetric_y  ? SpectrumKind::complex_full
                  : symmetric_x ? SpectrumKind::real_quarter
                                : SpectrumKind::complex_half;
  const bool odd_x = symmetry.x < 0 && shape.nx > 1;
  const bool odd_y = symmetry.y < 0 && shape.ny > 1;
  spectrum.imaginary = spectrum.kind == SpectrumKind::real_quarter && odd_x != odd_y;
  spectrum.parity_y = odd_y ? -1.0 : 1.0;
  const std::size_t reals = spectrum.kind == SpectrumKind::real_quarter ? 1 : 2;
  const std::size_t column = as_size(shape.spectrum_column(spectrum_rows(spectrum.kind)));
  const std::size_t own = as_size(columns.count);
  if (shape.fused)
    spectrum.stride_x = column;
  else
    spectrum.stride_y = own;
  spectrum.values = DeviceArray<double>(reals * own * column);
  spectrum.values.zero(stream);
  return spectrum;
}

// Fills and transforms along x the first rows of the padded table, as many as are distributed.
void SlabProduct::Impl::fill_table(SharedRows& table, const CoefficientRecipe& recipe) {
  const RowRange own = rows_of(card, table.rows);
  RowPlans last;
  last.make(shape.nx, own.count % shape.rows_batch, stream);
  for (int row = 0; row < own.count; row += shape.rows_batch) {
    const int count = std::min(shape.rows_batch, own.count - row);
    spectrum_detail::fill_table_kernel<<<blocks_over(shape.nx, count), kColumnThreads, 0, stream>>>(
        RecipeFunction{recipe}, shape.nx, shape.ny, own.first + row, count, false,
        recipe.symmetry(), batch.data());
    SLIPFIELD_LAUNCH_CHECK("fill_table_kernel");
    forward(batch.data(), count, table.own.data() + as_size(row) * shape.columns(),
            count == shape.rows_batch ? full : last);
  }
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));  // before the last plan is destroyed
}

SlabSpectrum SlabProduct::spectrum(const CoefficientRecipe& recipe) {
  Impl& m = *impl_;
  const Grid& grid = m.shape.grid;
  const TableSymmetry symmetry = recipe.symmetry();
  SlabSpectrum spectrum = m.empty_spectrum(symmetry);
  const int nx = m.shape.nx;
  const int ny = m.shape.ny;
  const int kept_rows = m.spectrum_rows(spectrum.kind);
  if (grid.boundary == Boundary::periodic) {
    if (m.columns.count == 0) return spectrum;
    constexpr double kTwoPi = 6.28318530717958647692;
    const PeriodicSymbol symbol{recipe.component,
                                recipe.material,
                                symmetry,
                                grid.mx,
                                grid.my,
                                kTwoPi / (grid.mx * grid.dx),
                                kTwoPi / (grid.my * grid.dy),
                                recipe.layers};
    spectrum_detail::fill_symbol_kernel<<<blocks_over(m.columns.count, kept_rows), kColumnThreads,
                                          0, m.stream>>>(
        SymbolFromColumn{symbol, m.columns.first}, m.columns.count, kept_rows, nx, ny, false,
        m.scale(), spectrum.stride_x, spectrum.stride_y, spectrum.values.data());
    SLIPFIELD_LAUNCH_CHECK("fill_symbol_kernel");
    return spectrum;
  }
  m.plan_cufft();
  SharedRows table = m.shared_rows(kept_rows, false);
  m.fill_table(table, recipe);
  const Kept kept = kept_of(spectrum);
  const std::size_t reals = kept == Kept::both ? 2 : 1;
  m.each_panel([&](Panel& panel, int first, int width) {
    double2* const block = panel.values.front().data();
    m.move(panel, block, first, width, table, Impl::Way::bring);
    if (kept_rows < ny) {
      mirror_rows_kernel<<<blocks_over(m.shape.panel, ny / 2), kColumnThreads, 0, panel.stream>>>(
          block, m.shape.panel, ny, symmetry.y < 0 ? -1.0 : 1.0);
      SLIPFIELD_LAUNCH_CHECK("mirror_rows_kernel");
    }
    panel.transform(0, ny, CUFFT_FORWARD);
    store_panel_kernel<<<blocks_over(width, kept_rows), kColumnThreads, 0, panel.stream>>>(
        block, m.shape.panel, kept_rows, width, spectrum.stride_x, spectrum.stride_y, kept,
        m.scale(), spectrum.values.data() + reals * as_size(first) * spectrum.stride_x);
    SLIPFIELD_LAUNCH_CHECK("store_panel_kernel");
  });
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(m.stream));  // all have read the table
  return spectrum;
}

void SlabProduct::set_inverse(SlabSpectrum& to, double identity, const SlabSpectrumShare (&sum)[2],
                              double relative_cut) const {
  Impl& m = *impl_;
  const SlabSpectrum& like = *sum[0].spectrum;
  if (to.kind == SpectrumKind::none) {
    to.values = DeviceArray<double>(like.values.size());
    to.kind = like.kind;
    to.imaginary = like.imaginary;
    to.parity_y = like.parity_y;
    to.stride_x = like.stride_x;
    to.stride_y = like.stride_y;
  }
  SymbolSum symbol{};
  for (int k = 0; k < 2; ++k) {
    if (sum[k].spectrum != nullptr) symbol.values[k] = sum[k].spectrum->values.data();
    symbol.weight[k] = sum[k].weight;
  }
  symbol.identity = identity;
  symbol.scale = m.scale();
  symbol.real = like.kind == SpectrumKind::real_quarter;
  symbol.imaginary = like.imaginary;
  if (m.columns.first == 0 && m.columns.count > 0)  // the card that has the mean; a wave of its own
    symbol.short_wave =
        like.stride_x * as_size(m.columns.count - 1) + like.stride_y * as_size(m.shape.ny / 2);
  const std::size_t count = numbers_of(like);
  DeviceArray<unsigned long long> bits(1);
  bits.zero(m.stream);
  constexpr int kBlocks = 1024;
  largest_value_kernel<<<kBlocks, 256, 0, m.stream>>>(symbol, count, bits.data());
  SLIPFIELD_LAUNCH_CHECK("largest_value_kernel");
  double own = 0.0;
  SLIPFIELD_CUDA_CHECK(
      cudaMemcpyAsync(&own, bits.data(), sizeof own, cudaMemcpyDeviceToHost, m.stream));
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(m.stream));
  const double cut = relative_cut * m.team.greatest(m.card, own);
  invert_values_kernel<<<kBlocks, 256, 0, m.stream>>>(symbol, count, cut, to.values.data());
  SLIPFIELD_LAUNCH_CHECK("invert_values_kernel");
}

SlabSpectrum SlabProduct::inverse(const SlabSpectrum& spectrum, double relative_cut) const {
  SlabSpectrum result;
  set_inverse(result, 0.0, {{1.0, &spectrum}, {}}, relative_cut);
  return result;
}

}  // namespace slipfield
