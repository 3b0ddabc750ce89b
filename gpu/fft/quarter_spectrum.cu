// SPDX-License-Identifier: Apache-2.0
// Mirrors the spectra of solver/cpu/cpu_fft_convolution.h. Traffic: a quarter of the table is
// written and read once more than in a whole transform, which needs eight times the memory.
#include "gpu/fft/spectrum_build.cuh"

#include "gpu/cufft/batched_fft.h"
#include "gpu/fft/shape.h"

namespace slipfield {
namespace {

// quarter[row][kx]: the nonzero part of the rows' transforms.
__global__ void keep_rows_kernel(const double2* transform, int columns, int rows, bool imaginary,
                                 double* quarter) {
  const int kx = blockIdx.x * blockDim.x + threadIdx.x;
  if (kx >= columns) return;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    const std::size_t at = static_cast<std::size_t>(row) * columns + kx;
    quarter[at] = imaginary ? transform[at].y : transform[at].x;
  }
}

// Restores all ny rows of some columns: row y > ny/2 is `parity` times row ny - y.
__global__ void unfold_kernel(const double* quarter, int columns, int first, int width, int ny,
                              double parity, double2* block) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width) return;
  for (int y = blockIdx.y; y < ny; y += gridDim.y) {
    const bool mirrored = 2 * y > ny;
    double value = 0.0;
    if (first + c < columns)
      value = quarter[static_cast<std::size_t>(mirrored ? ny - y : y) * columns + first + c];
    block[static_cast<std::size_t>(y) * width + c] =
        make_double2(mirrored ? parity * value : value, 0.0);
  }
}

struct Store {
  int columns;
  int rows;
  bool imaginary;
  double scale;
  std::size_t stride_x;
  std::size_t stride_y;
  double* values;
};

__global__ void store_columns_kernel(const double2* block, int first, int width, Store to) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width || first + c >= to.columns) return;
  for (int ky = blockIdx.y; ky < to.rows; ky += gridDim.y) {
    const double2 value = block[static_cast<std::size_t>(ky) * width + c];
    to.values[(first + c) * to.stride_x + ky * to.stride_y] =
        to.scale * (to.imaginary ? value.y : value.x);
  }
}

}  // namespace

bool transforms_in_quarters(const DeviceSpectrum& spectrum) {
  const FftShape& shape = spectrum.shape();
  if (spectrum.kind() != SpectrumKind::real_quarter || shape.nx == 1 || shape.ny == 1) return false;
  constexpr double kLargePoints = 16.0e6;
  return shape.engine == FftEngine::cufft ||
         static_cast<double>(shape.nx) * shape.ny >= kLargePoints;
}

void transform_quarter(const FillTableRows& fill, DeviceSpectrum& spectrum, cudaStream_t stream) {
  const FftShape& shape = spectrum.shape();
  const TableSymmetry symmetry = transform_symmetry(shape, spectrum.symmetry());
  const int columns = shape.columns();
  const int kept = shape.ny / 2 + 1;
  // With cuFFT's shapes the quarter is kept in the memory of the spectrum.
  const bool in_place = shape.engine == FftEngine::cufft;
  DeviceArray<double> other;
  if (!in_place) other = DeviceArray<double>(static_cast<std::size_t>(columns) * kept);
  double* const quarter = in_place ? spectrum.values() : other.data();

  const RowTransforms rows(shape.nx, kept, stream);
  DeviceArray<double> table(static_cast<std::size_t>(rows.batch()) * shape.nx);
  DeviceArray<double2> half(static_cast<std::size_t>(rows.batch()) * columns);
  for (int first = 0; first < kept; first += rows.batch()) {
    const int count = first + rows.batch() <= kept ? rows.batch() : kept - first;
    fill(first, rows.batch(), table.data());
    rows.forward(table.data(), half.data());
    keep_rows_kernel<<<blocks_over(columns, count), kColumnThreads, 0, stream>>>(
        half.data(), columns, count, symmetry.x < 0,
        quarter + static_cast<std::size_t>(first) * columns);
    SLIPFIELD_LAUNCH_CHECK("keep_rows_kernel");
  }

  const ColumnTransforms transforms(shape.ny, columns, stream);
  const int width = transforms.width();
  DeviceArray<double2> block(static_cast<std::size_t>(width) * shape.ny);
  const SpectrumView view = spectrum.view();
  // i times i, where both directions are odd.
  const double sign = symmetry.x < 0 && symmetry.y < 0 ? -1.0 : 1.0;
  const Store to{columns,       kept,          symmetry.y < 0,   sign * shape.scale(),
                 view.stride_x, view.stride_y, spectrum.values()};
  for (int first = 0; first < columns; first += width) {
    unfold_kernel<<<blocks_over(width, shape.ny), kColumnThreads, 0, stream>>>(
        quarter, columns, first, width, shape.ny, symmetry.y < 0 ? -1.0 : 1.0, block.data());
    SLIPFIELD_LAUNCH_CHECK("unfold_kernel");
    transforms.forward(block.data());
    store_columns_kernel<<<blocks_over(width, kept), kColumnThreads, 0, stream>>>(block.data(),
                                                                                  first, width, to);
    SLIPFIELD_LAUNCH_CHECK("store_columns_kernel");
  }
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));  // what is read is freed next
}

}  // namespace slipfield
