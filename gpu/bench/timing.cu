// SPDX-License-Identifier: Apache-2.0
// Timing helpers of `slipfield bench`; they have no CPU twin.

#include "gpu/bench/measured.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "gpu/device/cuda_check.h"
#include "gpu/device/device_array.h"

namespace slipfield {

namespace {

// Eight independent chains of multiply-adds per thread, 1024 of each.
constexpr int kChains = 8;
constexpr int kSteps = 1024;

__global__ void __launch_bounds__(256) multiply_add_kernel(double factor, double* out) {
  double x[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) x[c] = threadIdx.x + c;
#pragma unroll 16
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) x[c] = fma(x[c], factor, 1.0);
  }
  double sum = 0.0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) sum += x[c];
  if (sum == -1.0) out[threadIdx.x] = sum;  // never: keeps the sums alive
}

__global__ void __launch_bounds__(256)
    copy_kernel(const double2* __restrict__ from, double2* __restrict__ to, std::size_t count) {
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * 1024 + threadIdx.x;
  double2 value[4];
#pragma unroll
  for (int u = 0; u < 4; ++u)
    if (first + u * 256 < count) value[u] = from[first + u * 256];
#pragma unroll
  for (int u = 0; u < 4; ++u)
    if (first + u * 256 < count) to[first + u * 256] = value[u];
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

double timed_milliseconds(const std::function<void()>& launch, cudaStream_t stream) {
  const CudaEvent start(cudaEventDefault);
  const CudaEvent stop(cudaEventDefault);
  SLIPFIELD_CUDA_CHECK(cudaEventRecord(start.get(), stream));
  launch();
  SLIPFIELD_CUDA_CHECK(cudaEventRecord(stop.get(), stream));
  SLIPFIELD_CUDA_CHECK(cudaEventSynchronize(stop.get()));
  float milliseconds = 0.0F;
  SLIPFIELD_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()));
  return milliseconds;
}

double median_milliseconds(const std::function<void(cudaStream_t)>& work, cudaStream_t stream,
                           int samples) {
  work(stream);
  const double once = timed_milliseconds([&] { work(stream); }, stream);
  const int inner = std::clamp(static_cast<int>(1.0 / std::max(once, 1e-3)), 1, 50);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  SLIPFIELD_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < inner; ++i) work(stream);
  SLIPFIELD_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  SLIPFIELD_CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  std::vector<double> times;
  for (int sample = -3; sample < samples; ++sample) {
    const double time = timed_milliseconds(
        [&] { SLIPFIELD_CUDA_CHECK(cudaGraphLaunch(executable, stream)); }, stream);
    if (sample >= 0) times.push_back(time / inner);
  }
  SLIPFIELD_CUDA_CHECK(cudaGraphExecDestroy(executable));
  SLIPFIELD_CUDA_CHECK(cudaGraphDestroy(graph));
  return median_of(times);
}

DeviceCeilings measure_ceilings(cudaStream_t stream) {
  int device = 0;
  int multiprocessors = 0;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  SLIPFIELD_CUDA_CHECK(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  DeviceCeilings ceilings;
  {
    DeviceArray<double> out(256);
    const int blocks = multiprocessors * 8;
    const double ms = median_milliseconds(
        [&](cudaStream_t s) { multiply_add_kernel<<<blocks, 256, 0, s>>>(0.5, out.data()); },
        stream, 9);
    ceilings.flops_per_second = 2.0 * kChains * kSteps * 256.0 * blocks / (1e-3 * ms);
  }
  std::size_t count = std::size_t{1} << 26;  // double2: 1 GiB from, 1 GiB to
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  SLIPFIELD_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  while (2 * count * sizeof(double2) > free_bytes / 2) count /= 2;
  DeviceArray<double2> from(count);
  DeviceArray<double2> to(count);
  from.zero(stream);
  const double ms = median_milliseconds(
      [&](cudaStream_t s) {
        copy_kernel<<<static_cast<unsigned>((count + 1023) / 1024), 256, 0, s>>>(from.data(),
                                                                                 to.data(), count);
      },
      stream, 9);
  ceilings.bytes_per_second = 2.0 * static_cast<double>(count * sizeof(double2)) / (1e-3 * ms);
  return ceilings;
}

void set_floor(BenchLine& line, const DeviceCeilings& ceilings, double bytes, double flops) {
  const double seconds = 1e-3 * line.milliseconds;
  line.gbytes_per_second = bytes / seconds * 1e-9;
  line.gflops = flops / seconds * 1e-9;
  line.floor_ms =
      1e3 * std::max(bytes / ceilings.bytes_per_second, flops / ceilings.flops_per_second);
}

// The floor of the chain of gpu/gauss_seidel/chain.cuh: its shortest dependencies, nothing else.

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
