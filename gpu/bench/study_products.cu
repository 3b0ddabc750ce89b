// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/cpu/cpu_summation.h, as [deReus2010] did it on the GPU: kept to measure
// against.
#include "gpu/bench/studies.h"

#include "gpu/device/cuda_check.h"

namespace slipfield {

namespace {

constexpr int kTile = 128;

__global__ void __launch_bounds__(kTile)
    global_memory_kernel(const double* table, const double* pressure, int mx, int my,
                         double* displacement) {
  const int ix = blockIdx.x * kTile + threadIdx.x;
  const int iy = blockIdx.y;
  if (ix >= mx) return;
  const int width = 2 * mx - 1;
  double sum = 0.0;
  for (int jy = 0; jy < my; ++jy) {
    const double* row = table + static_cast<std::size_t>(iy - jy + my - 1) * width + ix + mx - 1;
    for (int jx = 0; jx < mx; ++jx)
      sum = fma(row[-jx], pressure[static_cast<std::size_t>(jy) * mx + jx], sum);
  }
  displacement[static_cast<std::size_t>(iy) * mx + ix] = sum;
}

// A block owns 128 elements of one row; per tile of 128 sources of a row it holds their tractions
// and the 255 coefficients between them in shared memory.
__global__ void __launch_bounds__(kTile)
    one_row_tiles_kernel(const double* table, const double* pressure, int mx, int my,
                         double* displacement) {
  __shared__ double tractions[kTile];
  __shared__ double coefficients[2 * kTile];
  const int t = threadIdx.x;
  const int x0 = blockIdx.x * kTile;
  const int iy = blockIdx.y;
  const int width = 2 * mx - 1;
  double sum = 0.0;
  for (int jy = 0; jy < my; ++jy) {
    const double* row = table + static_cast<std::size_t>(iy - jy + my - 1) * width + mx - 1;
    for (int j0 = 0; j0 < mx; j0 += kTile) {
      __syncthreads();
      tractions[t] = j0 + t < mx ? pressure[static_cast<std::size_t>(jy) * mx + j0 + t] : 0.0;
      for (int i = t; i < 2 * kTile; i += kTile) {
        const int dx = x0 - j0 - kTile + i;
        coefficients[i] = dx > -mx && dx < mx ? row[dx] : 0.0;
      }
      __syncthreads();
#pragma unroll 16
      for (int j = 0; j < kTile; ++j) sum = fma(coefficients[kTile + t - j], tractions[j], sum);
    }
  }
  if (x0 + t < mx) displacement[static_cast<std::size_t>(iy) * mx + x0 + t] = sum;
}

}  // namespace

void study_product(StudyProduct variant, const double* table, const double* pressure, int mx,
                   int my, double* displacement, cudaStream_t stream) {
  const dim3 blocks((mx + kTile - 1) / kTile, my);
  if (variant == StudyProduct::global_memory) {
    global_memory_kernel<<<blocks, kTile, 0, stream>>>(table, pressure, mx, my, displacement);
  } else {
    one_row_tiles_kernel<<<blocks, kTile, 0, stream>>>(table, pressure, mx, my, displacement);
  }
  SLIPFIELD_LAUNCH_CHECK("study_product");
}

}  // namespace slipfield
