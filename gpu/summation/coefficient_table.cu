// SPDX-License-Identifier: Apache-2.0
// Mirrors the coefficient tables of solver/influence/influence_table.h.
#include "gpu/summation/coefficient_table.h"

#include "gpu/device/cuda_check.h"
#include "gpu/device/launch_grid.h"

namespace slipfield {

namespace {

__global__ void table_kernel(const CoefficientRecipe recipe, int mx, int my, double* table) {
  const int width = 2 * mx - 1;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  for (int row = blockIdx.y; row < 2 * my - 1; row += gridDim.y)
    table[static_cast<std::size_t>(row) * width + column] =
        recipe.at(column - (mx - 1), row - (my - 1));
}

}  // namespace

DeviceArray<double> make_coefficient_table(const CoefficientRecipe& recipe, int mx, int my,
                                           cudaStream_t stream) {
  DeviceArray<double> table(coefficient_table_size(mx, my));
  table_kernel<<<blocks_over(2 * mx - 1, 2 * my - 1), kColumnThreads, 0, stream>>>(recipe, mx, my,
                                                                                   table.data());
  SLIPFIELD_LAUNCH_CHECK("table_kernel");
  return table;
}

}  // namespace slipfield
