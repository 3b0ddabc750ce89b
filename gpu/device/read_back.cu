// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/read_back.h"

#include <algorithm>

#include "gpu/device/launch_in_turn.cuh"
#include "solver/error.h"

namespace slipfield {

namespace {

constexpr unsigned kReadThreads = 128;

__global__ void __launch_bounds__(kReadThreads)
    read_back_kernel(const unsigned char* from, unsigned char* to, std::size_t bytes) {
  begin_in_turn();
  const std::size_t words = bytes / sizeof(double);
  for (std::size_t i = threadIdx.x; i < words; i += kReadThreads)
    reinterpret_cast<double*>(to)[i] = reinterpret_cast<const double*>(from)[i];
  for (std::size_t i = words * sizeof(double) + threadIdx.x; i < bytes; i += kReadThreads)
    to[i] = from[i];
}

struct Written {
  double values[kMostWritten];
};

__global__ void __launch_bounds__(kMostWritten)
    write_kernel(const __grid_constant__ Written from, double* to, std::size_t count) {
  begin_in_turn();
  if (threadIdx.x < count) to[threadIdx.x] = from.values[threadIdx.x];
}

}  // namespace

void read_back(const void* device, void* host, std::size_t bytes, cudaStream_t stream,
               bool overlap) {
  launch_in_turn(read_back_kernel, 1, kReadThreads, stream, overlap,
                 static_cast<const unsigned char*>(device), static_cast<unsigned char*>(host),
                 bytes);
}

void write_through(const double* host, double* device, std::size_t count, cudaStream_t stream,
                   bool overlap) {
  if (count > kMostWritten) throw Error("write_through: more numbers than a launch takes with it");
  Written from{};
  std::copy_n(host, count, from.values);
  launch_in_turn(write_kernel, 1, kMostWritten, stream, overlap, from, device, count);
}

// Mirrors CpuBackend::greatest of solver/cpu/cpu_backend.h. Reads 8 n bytes once.

namespace {

constexpr int kGreatestThreads = 256;
constexpr std::size_t kMostBlocks = 1056;

// Nonnegative doubles are ordered like their bits.
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
