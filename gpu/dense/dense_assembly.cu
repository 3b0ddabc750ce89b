// SPDX-License-Identifier: Apache-2.0
#include "gpu/dense/dense_assembly.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/launch_grid.h"

namespace slipfield {
namespace {

// The index in a table (coefficient_table.h) of the coefficient from element j to element i.
__device__ std::size_t offset_of(const DenseContact& contact, int i, int j) {
  const int to = contact.elements[i];
  const int from = contact.elements[j];
  const int dx = to % contact.mx - from % contact.mx;
  const int dy = to / contact.mx - from / contact.mx;
  return static_cast<std::size_t>(dy + contact.my - 1) * (2 * contact.mx - 1) + dx + contact.mx - 1;
}

__global__ void normal_kernel(const DenseContact contact, const double* __restrict__ nn,
                              double* __restrict__ matrix) {
  const int i = blockIdx.y * kColumnThreads + threadIdx.x;
  const int j = blockIdx.x;
  if (i >= contact.count) return;
  matrix[static_cast<std::size_t>(j) * contact.count + i] = nn[offset_of(contact, i, j)];
}

__global__ void jacobian_kernel(const DenseContact contact, const double* __restrict__ xx,
                                const double* __restrict__ xy, const double* __restrict__ yy,
                                const NewtonFields f, double* __restrict__ matrix) {
  const int i = blockIdx.y * kColumnThreads + threadIdx.x;
  const int j = blockIdx.x;
  const int n = contact.count;
  if (i >= n) return;
  const std::size_t at = offset_of(contact, i, j);
  const JacobianBlock block =
      jacobian_block(f, contact.elements[i], i == j, xx[at], xy[at], yy[at]);
  const std::size_t rows = 2 * static_cast<std::size_t>(n) + f.forces();
  double* const x_column = matrix + j * rows;
  double* const y_column = matrix + (static_cast<std::size_t>(n) + j) * rows;
  x_column[i] = block.xx;
  x_column[n + i] = block.yx;
  y_column[i] = block.xy;
  y_column[n + i] = block.yy;
}

__global__ void rigid_kernel(const DenseContact contact, const NewtonFields f, int k, bool along_x,
                             double* __restrict__ matrix) {
  const int i = blockIdx.x * kColumnThreads + threadIdx.x;
  const int n = contact.count;
  if (i >= n) return;
  const std::size_t rows = 2 * static_cast<std::size_t>(n) + f.forces();
  const std::size_t row = 2 * static_cast<std::size_t>(n) + k;
  const RigidColumn column = rigid_column(f, contact.elements[i], along_x);
  matrix[row * rows + i] = column.x;
  matrix[row * rows + n + i] = column.y;
  matrix[static_cast<std::size_t>(i) * rows + row] = along_x ? f.scale : 0.0;
  matrix[(static_cast<std::size_t>(n) + i) * rows + row] = along_x ? 0.0 : f.scale;
  if (i < f.forces()) matrix[(2 * static_cast<std::size_t>(n) + i) * rows + row] = 0.0;
}

}  // namespace

void assemble_normal(const DenseContact& contact, const double* nn, double* matrix,
                     cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>(contact.count), blocks_over(contact.count).x);
  normal_kernel<<<blocks, kColumnThreads, 0, stream>>>(contact, nn, matrix);
  SLIPFIELD_LAUNCH_CHECK("normal_kernel");
}

void assemble_jacobian(const DenseContact& contact, const double* xx, const double* xy,
                       const double* yy, const NewtonFields& f, double* matrix,
                       cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>(contact.count), blocks_over(contact.count).x);
  jacobian_kernel<<<blocks, kColumnThreads, 0, stream>>>(contact, xx, xy, yy, f, matrix);
  SLIPFIELD_LAUNCH_CHECK("jacobian_kernel");
  for (int k = 0; k < f.forces(); ++k) {
    rigid_kernel<<<blocks_over(contact.count), kColumnThreads, 0, stream>>>(
        contact, f, k, f.force_x_given && k == 0, matrix);
    SLIPFIELD_LAUNCH_CHECK("rigid_kernel");
  }
}

}  // namespace slipfield
