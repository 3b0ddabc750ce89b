// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/read_back.h"

#include "gpu/device/launch_in_turn.cuh"

namespace slipfield {

namespace {

constexpr unsigned kThreads = 128;

__global__ void __launch_bounds__(kThreads)
    read_back_kernel(const unsigned char* from, unsigned char* to, std::size_t bytes) {
  begin_in_turn();
  const std::size_t words = bytes / sizeof(double);
  for (std::size_t i = threadIdx.x; i < words; i += kThreads)
    reinterpret_cast<double*>(to)[i] = reinterpret_cast<const double*>(from)[i];
  for (std::size_t i = words * sizeof(double) + threadIdx.x; i < bytes; i += kThreads)
    to[i] = from[i];
}

}  // namespace

void read_back(const void* device, void* host, std::size_t bytes, cudaStream_t stream,
               bool overlap) {
  launch_in_turn(read_back_kernel, 1, kThreads, stream, overlap,
                 static_cast<const unsigned char*>(device), static_cast<unsigned char*>(host),
                 bytes);
}

}  // namespace slipfield
