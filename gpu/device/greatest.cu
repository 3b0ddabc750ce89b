// SPDX-License-Identifier: Apache-2.0
// Mirrors CpuBackend::greatest of solver/cpu/cpu_backend.h. Reads 8 n bytes once.
#include "gpu/device/greatest.h"

#include <cub/device/device_reduce.cuh>

#include "gpu/device/cuda_check.h"
#include "gpu/device/device_array.h"

namespace slipfield {

double greatest_on_device(const double* values, std::size_t n, cudaStream_t stream) {
  DeviceArray<double> result(1);
  std::size_t bytes = 0;
  SLIPFIELD_CUDA_CHECK(cub::DeviceReduce::Max(nullptr, bytes, values, result.data(), n, stream));
  DeviceArray<unsigned char> scratch(bytes);
  SLIPFIELD_CUDA_CHECK(
      cub::DeviceReduce::Max(scratch.data(), bytes, values, result.data(), n, stream));
  double greatest = 0.0;
  result.download(&greatest, 1, stream);
  return greatest;
}

}  // namespace slipfield
