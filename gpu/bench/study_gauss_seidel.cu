// SPDX-License-Identifier: Apache-2.0
// Mirrors the plain sweep that solver/cpu/cpu_gauss_seidel.cpp is equal to, as a GPU ran it in
// [deReus2010]: the slip of one element is two inner products over the contact, each a reduction.
//
// Work: 8 flops per pair, as for every sweep. What it costs is the launch and the two waits for a
// whole grid of blocks per element, whatever the number of elements.
#include <algorithm>

#include "gpu/bench/studies.h"
#include "gpu/device/cuda_check.h"
#include "solver/tangential/friction_element.h"

namespace slipfield {

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
