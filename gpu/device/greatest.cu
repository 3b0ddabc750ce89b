// SPDX-License-Identifier: Apache-2.0
// Mirrors CpuBackend::greatest of solver/cpu/cpu_backend.h. Reads 8 n bytes once.
#include "gpu/device/greatest.h"

#include <algorithm>

#include "gpu/device/launch_in_turn.cuh"
#include "gpu/device/read_back.h"

namespace slipfield {

namespace {

constexpr int kGreatestThreads = 256;
constexpr std::size_t kMostBlocks = 1056;

// Doubles that are not negative are in the order of their bits.
__global__ void __launch_bounds__(kGreatestThreads)
    greatest_kernel(const double* values, std::size_t n, double* greatest) {
  begin_in_turn();
  double found = 0.0;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kGreatestThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kGreatestThreads + threadIdx.x; i < n;
       i += stride)
    found = fmax(found, values[i]);
  for (int offset = 16; offset > 0; offset >>= 1)
    found = fmax(found, __shfl_xor_sync(0xffffffffu, found, offset));
  if ((threadIdx.x & 31) == 0 && found > 0.0)
    atomicMax(reinterpret_cast<unsigned long long*>(greatest),
              static_cast<unsigned long long>(__double_as_longlong(found)));
}

}  // namespace

void find_greatest(const double* values, std::size_t n, double* greatest, cudaStream_t stream,
                   bool overlap) {
  const double none = 0.0;
  write_through(&none, greatest, 1, stream, overlap);
  const std::size_t needed =
      std::max<std::size_t>(1, (n + kGreatestThreads - 1) / kGreatestThreads);
  launch_in_turn(greatest_kernel, static_cast<unsigned>(std::min(needed, kMostBlocks)),
                 kGreatestThreads, stream, overlap, values, n, greatest);
}

}  // namespace slipfield
