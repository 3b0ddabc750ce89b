// SPDX-License-Identifier: Apache-2.0
// The floor of the chain of gpu/gauss_seidel/chain.cuh: its shortest dependencies, nothing else.
#include <cuda_runtime.h>

#include "gpu/bench/measured.h"
#include "gpu/bench/timing.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/device_array.h"

namespace slipfield {

namespace {

constexpr int kTurns = 20000;

__global__ void chain_floor_kernel(double factor, double* out) {
  double x = factor * threadIdx.x;
  double y = factor;
  for (int k = 0; k < kTurns; ++k) {
    x = __shfl_sync(0xffffffffu, x, k & 31);
    y = __shfl_sync(0xffffffffu, y, k & 31);
    double sum = fma(x, factor, y);
#pragma unroll
    for (int f = 0; f < 11; ++f) sum = fma(sum, factor, 1.0);
    x = sum;
    y = sum;
  }
  out[threadIdx.x] = x;
}

}  // namespace

double measure_chain_floor(cudaStream_t stream) {
  DeviceArray<double> out(32);
  const double milliseconds = median_milliseconds(
      [&out](cudaStream_t s) {
        chain_floor_kernel<<<1, 32, 0, s>>>(0.5, out.data());
        SLIPFIELD_LAUNCH_CHECK("chain_floor_kernel");
      },
      stream, 5);
  return milliseconds * 1e-3 / kTurns;
}

}  // namespace slipfield
