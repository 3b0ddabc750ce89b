// SPDX-License-Identifier: Apache-2.0
// Rough surfaces generated where their rows are. Mirrors solver/geometry/rough_surface.cpp and
// SlabConvolution::invert_columns: each card writes the waves of its columns, a panel at a time,
// transforms them along y, and returns them to the rows' cards, which transform them along x.
// cuFFT does both.
//
// Traffic per element of a card's rows: 16 bytes of waves written, 32 to 64 for their transform, 16
// returned, 16 for the rows' transform, 8 of heights. The waves take some hundred double-precision
// operations per number, for a power, a sine and a cosine.
#include <vector>

#include "gpu/cards/slab_transforms.cuh"
#include "gpu/device/launch_grid.h"

namespace slipfield {

using namespace slab_detail;

namespace {

__global__ void fill_waves_kernel(const __grid_constant__ RoughWaves waves, int first, int width,
                                  int pitch, double2* panel) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= width) return;
  for (int row = blockIdx.y; row < waves.my; row += gridDim.y) {
    const PolarNumber value = waves.at(first + c, row);
    double sine = 0.0;
    double cosine = 0.0;
    if (value.size != 0.0) sincos(value.angle, &sine, &cosine);
    panel[static_cast<std::size_t>(row) * pitch + c] =
        make_double2(value.size * cosine, value.size * sine);
  }
}

constexpr int kPowerThreads = 256;
constexpr int kPowerBlocks = 1056;

// The powers of the waves in `rows` rows from ky = first on: a sum for each block.
__global__ void sum_powers_kernel(const __grid_constant__ RoughWaves waves, int first, int rows,
                                  double* sums) {
  __shared__ double of_thread[kPowerThreads];
  double sum = 0.0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    for (int kx = threadIdx.x; kx <= waves.last_x; kx += blockDim.x)
      sum += waves.power(kx, first + row);
  of_thread[threadIdx.x] = sum;
  for (int half = kPowerThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
      of_thread[threadIdx.x] += of_thread[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = of_thread[0];
}

}  // namespace

double power_of_rows(const RoughWaves& waves, const RowRange& rows, cudaStream_t stream) {
  DeviceArray<double> sums(kPowerBlocks);
  sum_powers_kernel<<<kPowerBlocks, kPowerThreads, 0, stream>>>(waves, rows.first - waves.last_y,
                                                                rows.count, sums.data());
  SLIPFIELD_LAUNCH_CHECK("sum_powers_kernel");
  double power = 0.0;
  for (const double sum : sums.download(stream)) power += sum;
  return power;
}

void SlabProduct::fill_heights(const RoughWaves& waves, double* heights) {
  Impl& m = *impl_;
  m.plan_cufft();
  SharedRows own;
  if (m.shape.fused) own = m.shared_rows(m.shape.grid.my, false);
  SharedRows& rows = m.shape.fused ? own : m.fields.front();
  m.each_panel([&](Panel& panel, int first, int width) {
    double2* const block = panel.values.front().data();
    fill_waves_kernel<<<blocks_over(width, waves.my), kColumnThreads, 0, panel.stream>>>(
        waves, m.columns.first + first, width, m.shape.panel, block);
    SLIPFIELD_LAUNCH_CHECK("fill_waves_kernel");
    panel.transform(0, m.shape.ny, CUFFT_INVERSE);
    m.move(panel, block, first, width, rows, Impl::Way::give_back);
  });
  m.backward_rows(rows, heights);
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(m.stream));  // before the rows are freed
}

}  // namespace slipfield
