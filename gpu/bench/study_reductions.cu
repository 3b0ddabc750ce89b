// SPDX-License-Identifier: Apache-2.0
// Mirrors the sums of solver/cpu/cpu_backend.h. The first four are the well-known steps towards a
// fast reduction that [deReus2010] took over: one element per thread, a launch per level. The last
// is the one in use.
//
// Traffic: 16 n bytes (x and y once); floor at 4.3 TB/s: 0.0156 ms for 2048^2.
#include "gpu/bench/studies.h"

#include "gpu/device/cuda_check.h"
#include "gpu/device/element_launch.cuh"
#include "solver/host_device.h"

namespace slipfield {

namespace {

constexpr int kThreads = 256;

template <StudyReduction kVariant>
__device__ void reduce_in_shared(volatile double* shared) {
  const int t = threadIdx.x;
  if constexpr (kVariant == StudyReduction::divergent) {
    for (int step = 1; step < kThreads; step *= 2) {
      if (t % (2 * step) == 0) shared[t] = shared[t] + shared[t + step];
      __syncthreads();
    }
  } else if constexpr (kVariant == StudyReduction::bank_conflicts) {
    for (int step = 1; step < kThreads; step *= 2) {
      const int i = 2 * step * t;
      if (i < kThreads) shared[i] = shared[i] + shared[i + step];
      __syncthreads();
    }
  } else if constexpr (kVariant == StudyReduction::sequential_addressing) {
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (t < half) shared[t] = shared[t] + shared[t + half];
      __syncthreads();
    }
  } else {
    for (int half = kThreads / 2; half > 32; half /= 2) {
      if (t < half) shared[t] = shared[t] + shared[t + half];
      __syncthreads();
    }
    if (t < 32) {
#pragma unroll
      for (int half = 32; half > 0; half /= 2) {
        const double sum = shared[t] + shared[t + half];
        __syncwarp();
        shared[t] = sum;
        __syncwarp();
      }
    }
  }
}

// y null: the sum of x.
template <StudyReduction kVariant>
__global__ void __launch_bounds__(kThreads)
    study_kernel(const double* x, const double* y, std::size_t n, double* block_sums) {
  __shared__ double shared[2 * kThreads];  // the last warp's step reads 32 beyond
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  shared[threadIdx.x] = i < n ? (y != nullptr ? x[i] * y[i] : x[i]) : 0.0;
  shared[threadIdx.x + kThreads] = 0.0;
  __syncthreads();
  reduce_in_shared<kVariant>(shared);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = shared[0];
}

template <StudyReduction kVariant>
void reduce_by_levels(const double* x, const double* y, std::size_t n, double* workspace,
                      double* sum, cudaStream_t stream) {
  while (true) {
    const std::size_t blocks = (n + kThreads - 1) / kThreads;
    double* out = blocks == 1 ? sum : workspace;
    study_kernel<kVariant><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(x, y, n, out);
    SLIPFIELD_LAUNCH_CHECK("study_kernel");
    if (blocks == 1) return;
    x = out;
    y = nullptr;
    n = blocks;
    workspace += blocks;
  }
}

struct DotOp {
  static constexpr int kSums = 1;
  const double* x;
  const double* y;
  double* sum;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const { sums[0] += x[i] * y[i]; }
  SLIPFIELD_HD void finish(const double* sums) const { *sum = sums[0]; }
};

}  // namespace

const char* study_reduction_name(StudyReduction variant) {
  switch (variant) {
    case StudyReduction::divergent:
      return "divergent";
    case StudyReduction::bank_conflicts:
      return "bank conflicts";
    case StudyReduction::sequential_addressing:
      return "sequential addressing";
    case StudyReduction::unrolled_last_warp:
      return "unrolled last warp";
    case StudyReduction::element_op:
      return "element op (in use)";
  }
  return "";
}

std::size_t study_reduction_workspace(std::size_t n) {
  return n / (kThreads - 1) + 64 + element_workspace_size();
}

void study_reduction(StudyReduction variant, const double* x, const double* y, std::size_t n,
                     double* workspace, double* sum, cudaStream_t stream) {
  double* levels = workspace + element_workspace_size();
  switch (variant) {
    case StudyReduction::divergent:
      reduce_by_levels<StudyReduction::divergent>(x, y, n, levels, sum, stream);
      break;
    case StudyReduction::bank_conflicts:
      reduce_by_levels<StudyReduction::bank_conflicts>(x, y, n, levels, sum, stream);
      break;
    case StudyReduction::sequential_addressing:
      reduce_by_levels<StudyReduction::sequential_addressing>(x, y, n, levels, sum, stream);
      break;
    case StudyReduction::unrolled_last_warp:
      reduce_by_levels<StudyReduction::unrolled_last_warp>(x, y, n, levels, sum, stream);
      break;
    case StudyReduction::element_op:
      launch_element_op(DotOp{x, y, sum}, n, {workspace}, stream);
      break;
  }
}

}  // namespace slipfield
