// SPDX-License-Identifier: Apache-2.0
// Mirrors the spectra of solver/cpu/cpu_fft_convolution.h. Runs once per grid or step length, not
// per product: the product's own kernels do the transform if they support both lengths, else cuFFT
// with a temporary plan.
#include "gpu/fft/spectrum.h"

#include "gpu/cufft/cufft_check.h"
#include "gpu/device/current_device.h"
#include "gpu/device/launch_in_turn.cuh"
#include "gpu/fft/spectrum_build.cuh"
#include "gpu/fft/transform.h"

namespace slipfield {

namespace {

constexpr int kSymbolThreads = 256;

struct TableFunction {
  const double* table;
  int mx;
  int my;
  __device__ double operator()(int dx, int dy) const {
    if (dx <= -mx || dx >= mx || dy <= -my || dy >= my) return 0.0;
    return table[static_cast<std::size_t>(dy + my - 1) * (2 * mx - 1) + dx + mx - 1];
  }
};

// Stores a half-complex transform, ny rows of nx/2+1 (for a line ny/2+1 numbers), in the form of
// `view`.
__global__ void store_kernel(const double2* transform, int columns, int rows, int ny, bool line,
                             bool real, bool imaginary, double scale, std::size_t stride_x,
                             std::size_t stride_y, double* values) {
  const int kx = blockIdx.x * blockDim.x + threadIdx.x;
  if (kx >= columns) return;
  for (int ky = blockIdx.y; ky < rows; ky += gridDim.y) {
    double2 value;
    if (line) {
      const bool mirrored = 2 * ky > ny;
      value = transform[mirrored ? ny - ky : ky];
      if (mirrored) value.y = -value.y;
    } else {
      value = transform[static_cast<std::size_t>(ky) * columns + kx];
    }
    const std::size_t at = kx * stride_x + ky * stride_y;
    if (real) {
      values[at] = scale * (imaginary ? value.y : value.x);
    } else {
      values[2 * at] = scale * value.x;
      values[2 * at + 1] = scale * value.y;
    }
  }
}

// Greatest of the block's values; every thread gets it.
__device__ double block_greatest(double value) {
  __shared__ double of_warp[kSymbolThreads / 32];
  for (int offset = 16; offset > 0; offset >>= 1)
    value = fmax(value, __shfl_xor_sync(0xffffffffu, value, offset));
  if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = value;
  __syncthreads();
  for (const double other : of_warp) value = fmax(value, other);
  return value;
}

// Greatest |a| among each block's points.
__global__ void __launch_bounds__(kSymbolThreads)
    largest_kernel(SymbolSum symbol, std::size_t count, double* largest) {
  begin_in_turn();
  double found = 0.0;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    const double2 a = symbol(i);
    found = fmax(found, hypot(a.x, a.y));
  }
  found = block_greatest(found);
  if (threadIdx.x == 0) largest[blockIdx.x] = found;
}

// Launch with as many blocks as computed `largest`.
__global__ void __launch_bounds__(kSymbolThreads)
    invert_kernel(SymbolSum symbol, std::size_t count, double relative_cut, const double* largest,
                  double* to) {
  begin_in_turn();
  double found = 0.0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) found = fmax(found, largest[b]);
  const double cut = relative_cut * block_greatest(found);
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    symbol.store_inverse(i, cut, to);
  }
}

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool is_imaginary(const FftShape& shape, TableSymmetry symmetry) {
  const TableSymmetry s = transform_symmetry(shape, symmetry);
  if (shape.nx == 1) return s.y < 0;  // a line: constant across
  if (shape.ny == 1) return s.x < 0;
  return s.x * s.y < 0;
}

}  // namespace

SpectrumKind spectrum_kind(const FftShape& shape, TableSymmetry symmetry) {
  const TableSymmetry s = transform_symmetry(shape, symmetry);
  const bool symmetric_x = shape.nx == 1 || s.x != 0;
  const bool symmetric_y = shape.ny == 1 || s.y != 0;
  if (!symmetric_y) return SpectrumKind::complex_full;
  return symmetric_x ? SpectrumKind::real_quarter : SpectrumKind::complex_half;
}

DeviceSpectrum::DeviceSpectrum(const FftShape& shape, SpectrumKind kind, TableSymmetry symmetry,
                               cudaStream_t stream)
    : shape_(shape), kind_(kind), symmetry_(symmetry) {
  const SpectrumView layout = view();
  const std::size_t reals = kind == SpectrumKind::real_quarter ? 1 : 2;
  const std::size_t rows =
      kind == SpectrumKind::complex_full ? shape.ny : static_cast<std::size_t>(shape.ny) / 2 + 1;
  const std::size_t count =
      shape.engine == FftEngine::cufft ? layout.stride_y * rows : layout.stride_x * shape.columns();
  values_ = DeviceArray<double>(reals * count);
  values_.zero(stream);
}

SpectrumView DeviceSpectrum::view(double sign) const {
  SpectrumView view;
  view.values = values_.data();
  view.kind = kind_;
  view.sign = sign;
  view.imaginary = kind_ == SpectrumKind::real_quarter && is_imaginary(shape_, symmetry_) ? 1 : 0;
  view.parity_y = transform_symmetry(shape_, symmetry_).y < 0 ? -1.0 : 1.0;
  const std::size_t rows =
      kind_ == SpectrumKind::complex_full ? shape_.ny : static_cast<std::size_t>(shape_.ny) / 2 + 1;
  if (shape_.engine == FftEngine::cufft) {
    view.stride_x = 1;
    view.stride_y = shape_.columns();
  } else {  // columns are contiguous: what the fused pass reads
    view.stride_x = round_up(rows, 4);
    view.stride_y = 1;
  }
  return view;
}

namespace {

// Transforms rows, then columns into the spectrum, without waiting.
void transform_by_passes(const FftShape& shape, const DeviceArray<double>& table,
                         DeviceSpectrum& spectrum, cudaStream_t stream) {
  const DeviceLimits card = current_limits();
  FftSide rows_of[3];
  FftSide columns_of[3];
  for (int i = 0; i < 3; ++i) {
    rows_of[i] = fft_row_side(shape.nx, shape.ny, i, card);
    columns_of[i] = fft_column_side(shape.ny, shape.columns(), i, card);
  }
  DeviceArray<double2> columns(shape.spectrum_points());

  const FftSide& row_side =
      rows_of[nearest_usable(rows_of, choose_fft_rows(shape.nx, (shape.ny + 1) / 2, 1))];
  fft_detail::RowArguments rows{};
  rows.in[0] = table.data();
  rows.work[0] = columns.data();
  rows.mx = shape.nx;
  rows.my = rows.pitch = shape.ny;
  rows.pass = row_side.pass();
  rows.pairs = row_side.group;
  while ((1 << rows.pair_shift) < 2 * row_side.group) ++rows.pair_shift;
  launch_fft(row_side.kernels().rows_forward[0],
             dim3((shape.ny + 2 * row_side.group - 1) / (2 * row_side.group)), row_side, 1, true,
             rows, stream);

  const FftSide& column_side =
      columns_of[nearest_usable(columns_of, choose_fft_columns(shape.ny, shape.columns(), 1))];
  const SpectrumView view = spectrum.view();
  fft_detail::SpectrumArguments column{};
  column.work = columns.data();
  column.values = spectrum.values();
  column.pitch = shape.ny;
  column.columns = shape.columns();
  column.columns_per_block = column_side.group;
  column.rows = view.kind == SpectrumKind::complex_full ? shape.ny : shape.ny / 2 + 1;
  column.stride_x = view.stride_x;
  column.real = view.kind == SpectrumKind::real_quarter;
  column.imaginary = view.imaginary != 0;
  column.scale = shape.scale();
  column.pass = column_side.pass();
  launch_fft(column_side.kernels().spectrum,
             dim3((shape.columns() + column_side.group - 1) / column_side.group), column_side, 1,
             true, column, stream);
}

}  // namespace

// Memory freed here and by the caller is reused only after the stream's earlier work
// (gpu/device/cuda_check.h).
void transform_table(const FftShape& shape, DeviceArray<double>& table, DeviceSpectrum& spectrum,
                     cudaStream_t stream) {
  if (shape.engine == FftEngine::fused) return transform_by_passes(shape, table, spectrum, stream);
  const bool line = shape.nx == 1;
  const std::size_t points = line ? shape.ny / 2 + 1 : shape.spectrum_points();
  DeviceArray<double2> transform(points);
  CufftPlan plan;
  if (line) {
    SLIPFIELD_CUFFT_CHECK(cufftPlan1d(plan.slot(), shape.ny, CUFFT_D2Z, 1));
  } else if (shape.ny == 1) {
    SLIPFIELD_CUFFT_CHECK(cufftPlan1d(plan.slot(), shape.nx, CUFFT_D2Z, 1));
  } else {
    SLIPFIELD_CUFFT_CHECK(cufftPlan2d(plan.slot(), shape.ny, shape.nx, CUFFT_D2Z));
  }
  plan.made();
  SLIPFIELD_CUFFT_CHECK(cufftSetStream(plan.get(), stream));
  SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(plan.get(), table.data(), transform.data()));
  const SpectrumView view = spectrum.view();
  const bool real = view.kind == SpectrumKind::real_quarter;
  const int rows = view.kind == SpectrumKind::complex_full ? shape.ny : shape.ny / 2 + 1;
  store_kernel<<<blocks_over(shape.columns(), rows), kColumnThreads, 0, stream>>>(
      transform.data(), shape.columns(), rows, shape.ny, line, real, view.imaginary != 0,
      shape.scale(), view.stride_x, view.stride_y, spectrum.values());
  SLIPFIELD_LAUNCH_CHECK("store_kernel");
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));  // `table` and `transform` are freed next
}

DeviceSpectrum DeviceSpectrum::from_coefficients(const FftShape& shape,
                                                 const CoefficientRecipe& recipe,
                                                 cudaStream_t stream) {
  return spectrum_from_function(shape, RecipeFunction{recipe}, recipe.symmetry(), stream);
}

DeviceSpectrum DeviceSpectrum::from_table(const FftShape& shape, const double* device_table,
                                          TableSymmetry symmetry, cudaStream_t stream) {
  return from_padded_table(shape, device_table, shape.mx, shape.my, symmetry, stream);
}

DeviceSpectrum DeviceSpectrum::from_padded_table(const FftShape& shape, const double* device_table,
                                                 int mx, int my, TableSymmetry symmetry,
                                                 cudaStream_t stream) {
  return spectrum_from_function(shape, TableFunction{device_table, mx, my}, symmetry, stream);
}

DeviceSpectrum DeviceSpectrum::periodic(const FftShape& shape, const CoefficientRecipe& recipe,
                                        cudaStream_t stream) {
  constexpr double kTwoPi = 6.28318530717958647692;
  const TableSymmetry symmetry = recipe.symmetry();
  return spectrum_from_symbol(shape,
                              PeriodicSymbol{recipe.component, recipe.material, symmetry, shape.mx,
                                             shape.my, kTwoPi / (shape.mx * recipe.dx),
                                             kTwoPi / (shape.my * recipe.dy), recipe.layers},
                              symmetry, stream);
}

void DeviceSpectrum::set_inverse(double identity, const DeviceSpectrumShare (&sum)[2],
                                 double relative_cut, DeviceArray<double>& largest,
                                 cudaStream_t stream) {
  SymbolSum symbol{};
  for (int k = 0; k < 2; ++k) {
    if (sum[k].spectrum != nullptr) symbol.values[k] = sum[k].spectrum->values_.data();
    symbol.weight[k] = sum[k].weight;
  }
  symbol.identity = identity;
  symbol.scale = shape_.scale();
  symbol.real = kind_ == SpectrumKind::real_quarter;
  const SpectrumView layout = view();
  symbol.imaginary = layout.imaginary != 0;
  symbol.short_wave = layout.stride_x * (static_cast<std::size_t>(shape_.columns()) - 1) +
                      layout.stride_y * (static_cast<std::size_t>(shape_.ny) / 2);
  const bool overlap = runs_fused_fft(current_limits());
  const std::size_t needed = (points() + kSymbolThreads - 1) / kSymbolThreads;
  const auto blocks = static_cast<unsigned>(needed < kSymbolBlocks ? needed : kSymbolBlocks);
  launch_in_turn(largest_kernel, blocks, kSymbolThreads, stream, overlap, symbol, points(),
                 largest.data());
  launch_in_turn(invert_kernel, blocks, kSymbolThreads, stream, overlap, symbol, points(),
                 relative_cut, static_cast<const double*>(largest.data()), values_.data());
}

DeviceSpectrum DeviceSpectrum::inverse(double relative_cut, cudaStream_t stream) const {
  DeviceSpectrum result(shape_, kind_, symmetry_, stream);
  DeviceArray<double> largest(kSymbolBlocks);
  result.set_inverse(0.0, {{1.0, this}, {}}, relative_cut, largest, stream);
  return result;
}

}  // namespace slipfield
