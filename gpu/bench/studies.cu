// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/cpu/cpu_summation.h in the form of [deReus2010] on the GPU; kept for comparison.

#include "gpu/bench/measured.h"

#include <algorithm>

#include "gpu/device/cuda_check.h"
#include "gpu/device/element_launch.cuh"
#include "solver/host_device.h"
#include "solver/tangential/friction_element.h"

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

// A block computes 128 elements of one row; for each tile of 128 sources of a row, shared memory
// holds their tractions and the 255 coefficients between them.
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

// Mirrors the sums of solver/cpu/cpu_backend.h. The first four are the well-known steps towards a
// fast reduction used by [deReus2010]: one element per thread, a launch per level. The last is the
// one in use.
//
// Traffic: 16 n bytes (x and y once); floor at 4.3 TB/s: 0.0156 ms for 2048^2.

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

// Mirrors the plain sweep, to which solver/cpu/cpu_gauss_seidel.cpp is equal, as [deReus2010] ran
// it on a GPU: the slip of one element is two inner products over the contact, each a reduction.
//
// Work: 8 flops per pair, as for every sweep. The cost is the launch and the two waits for a whole
// grid of blocks per element, whatever the number of elements.

namespace {

constexpr int kSweepThreads = 256;
constexpr int kMaxBlocks = 64;

struct Element {
  int mx;
  int my;
  int self;  // its index
  const double* xx;
  const double* xy;
  const double* yy;
};

__device__ double2 block_sum(double2 sum) {
  __shared__ double2 shared[kSweepThreads];
  const int t = static_cast<int>(threadIdx.x);
  shared[t] = sum;
  __syncthreads();
  for (int half = kSweepThreads / 2; half > 0; half /= 2) {
    if (t < half) {
      shared[t].x += shared[t + half].x;
      shared[t].y += shared[t + half].y;
    }
    __syncthreads();
  }
  return shared[0];
}

__global__ void __launch_bounds__(kSweepThreads)
    element_sweep_kernel(const Element element, const int* contact, int elements,
                         const TangentialFields fields, double relaxation, double2* partial,
                         unsigned* ticket) {
  const int ix = element.self % element.mx;
  const int iy = element.self / element.mx;
  const int width = 2 * element.mx - 1;
  double2 sum = {0.0, 0.0};
  for (int e = static_cast<int>(blockIdx.x) * kSweepThreads + static_cast<int>(threadIdx.x);
       e < elements; e += static_cast<int>(gridDim.x) * kSweepThreads) {
    const int j = contact[e];
    const int at =
        (iy - j / element.mx + element.my - 1) * width + ix - j % element.mx + element.mx - 1;
    const double x = fields.traction_x[j];
    const double y = fields.traction_y[j];
    const double xy = element.xy[at];
    sum.x += element.xx[at] * x + xy * y;
    sum.y += xy * x + element.yy[at] * y;
  }
  sum = block_sum(sum);
  if (threadIdx.x != 0) return;
  if (gridDim.x > 1) {
    partial[blockIdx.x] = sum;
    __threadfence();
    if (atomicInc(ticket, gridDim.x - 1) != gridDim.x - 1) return;
    __threadfence();
    sum = {0.0, 0.0};
    for (unsigned b = 0; b < gridDim.x; ++b) {
      const double2 part = __ldcg(partial + b);
      sum.x += part.x;
      sum.y += part.y;
    }
  }
  const int i = element.self;
  const int centre = (element.my - 1) * width + element.mx - 1;
  const ElementCompliance d{element.xx[centre], element.xy[centre], element.yy[centre]};
  const double old_x = fields.traction_x[i];
  const double old_y = fields.traction_y[i];
  const double bound = fields.bound[i];
  const ElementTraction solved =
      solve_friction_element(d, fields.slip_x[i] + sum.x - d.xx * old_x - d.xy * old_y,
                             fields.slip_y[i] + sum.y - d.xy * old_x - d.yy * old_y, bound, 0.0);
  double x = old_x + relaxation * (solved.x - old_x);
  double y = old_y + relaxation * (solved.y - old_y);
  const double size2 = x * x + y * y;
  if (size2 > bound * bound) {
    const double scale = bound / sqrt(size2);
    x *= scale;
    y *= scale;
  }
  fields.traction_x[i] = x;
  fields.traction_y[i] = y;
  fields.state[i] = static_cast<unsigned char>(solved.state);
}

}  // namespace

StudyGaussSeidel::StudyGaussSeidel(int mx, int my, const std::vector<int>& contact,
                                   const double* device_xx, const double* device_xy,
                                   const double* device_yy)
    : mx_(mx),
      my_(my),
      contact_(contact),
      device_contact_(contact),
      tables_{device_xx, device_xy, device_yy},
      blocks_(std::clamp(static_cast<int>(contact.size() / (4 * kSweepThreads)), 1, kMaxBlocks)),
      partial_(kMaxBlocks),
      ticket_(1) {
  ticket_.zero();
}

void StudyGaussSeidel::sweep(const TangentialFields& device_fields, double relaxation,
                             cudaStream_t stream) {
  for (const int self : contact_) {
    const Element element{mx_, my_, self, tables_[0], tables_[1], tables_[2]};
    element_sweep_kernel<<<static_cast<unsigned>(blocks_), kSweepThreads, 0, stream>>>(
        element, device_contact_.data(), static_cast<int>(contact_.size()), device_fields,
        relaxation, partial_.data(), ticket_.data());
  }
  SLIPFIELD_LAUNCH_CHECK("element_sweep_kernel");
}

}  // namespace slipfield
