// SPDX-License-Identifier: Apache-2.0
// Mirrors CpuRowProduct of solver/cpu/cpu_curved.cpp.
//
// Traffic: the matrices, 16 bytes times pairs, frequencies (mx or a little more) and my^2; the
// fields are a my-th of that. 51 x 39 elements, all nine pairs: 12 MB; 200 x 200: 1.2 GB. Measured
// (NVIDIA H200, CUDA 13.0), with the ratio to the time for these bytes: tangential 256^2 0.354 ms,
// 1.34; 128^2 0.072 ms, 2.15; normal 256^2 0.119 ms, 1.79. At 51 x 39 launches dominate: 0.019 and
// 0.037 ms.
#include "gpu/curved/row_product.h"

#include <algorithm>

#include "gpu/device/launch_grid.h"

namespace slipfield {

namespace {

constexpr int kRows = 32;   // of a block, one for each lane
constexpr int kShares = 8;  // of the loaded rows, one for each warp

__global__ void pad_rows_kernel(const double* in, int mx, int my, int nx, double* rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= nx) return;
  for (int y = blockIdx.y; y < my; y += gridDim.y)
    rows[static_cast<std::size_t>(y) * nx + x] =
        x < mx ? in[static_cast<std::size_t>(y) * mx + x] : 0.0;
}

__global__ void cut_rows_kernel(const double* rows, int mx, int my, int nx, double* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= mx) return;
  for (int y = blockIdx.y; y < my; y += gridDim.y)
    out[static_cast<std::size_t>(y) * mx + x] = rows[static_cast<std::size_t>(y) * nx + x];
}

struct CurvedRowArguments {
  const double2* matrix[kDirections][kDirections];  // null: not in this product
  const double2* load[kDirections];
  double2* displacement[kDirections];
  int frequencies;
  int my;
};

// A warp adds every kShares-th loaded row for 32 rows; the shares are then added in order.
__global__ void multiply_rows_kernel(const __grid_constant__ CurvedRowArguments a) {
  __shared__ double2 share[kDirections][kShares][kRows];
  const int lane = threadIdx.x;
  const int warp = threadIdx.y;
  const int row = blockIdx.x * kRows + lane;
  const std::size_t my = a.my;
  for (int f = blockIdx.y; f < a.frequencies; f += gridDim.y) {
    double2 sum[kDirections];
#pragma unroll
    for (int to = 0; to < kDirections; ++to) sum[to] = make_double2(0.0, 0.0);
    if (row < a.my) {
      for (int j = warp; j < a.my; j += kShares) {
        const std::size_t place = f * my + j;
#pragma unroll
        for (int from = 0; from < kDirections; ++from) {
          if (a.load[from] == nullptr) continue;
          const double2 p = a.load[from][place];
#pragma unroll
          for (int to = 0; to < kDirections; ++to) {
            if (a.displacement[to] == nullptr) continue;
            const double2 m = a.matrix[to][from][place * my + row];
            sum[to].x += m.x * p.x - m.y * p.y;
            sum[to].y += m.x * p.y + m.y * p.x;
          }
        }
      }
    }
#pragma unroll
    for (int to = 0; to < kDirections; ++to) share[to][warp][lane] = sum[to];
    __syncthreads();
    if (warp < kDirections && row < a.my && a.displacement[warp] != nullptr) {
      double2 whole = share[warp][0][lane];
      for (int k = 1; k < kShares; ++k) {
        whole.x += share[warp][k][lane].x;
        whole.y += share[warp][k][lane].y;
      }
      a.displacement[warp][f * my + row] = whole;
    }
    __syncthreads();
  }
}

// Plans `batch` consecutive lines of nx reals, whose frequencies are `stride` apart, with those of
// all lines adjacent.
void plan_lines(CufftPlan& plan, cufftType type, int nx, int stride, int batch) {
  int length = nx;
  int frequencies = nx / 2 + 1;
  if (type == CUFFT_D2Z) {
    SLIPFIELD_CUFFT_CHECK(cufftPlanMany(plan.slot(), 1, &length, &length, 1, nx, &frequencies,
                                        stride, 1, type, batch));
  } else {
    SLIPFIELD_CUFFT_CHECK(cufftPlanMany(plan.slot(), 1, &length, &frequencies, stride, 1, &length,
                                        1, nx, type, batch));
  }
  plan.made();
}

}  // namespace

RowProduct::RowProduct(int mx, int my, int nx)
    : mx_(mx),
      my_(my),
      nx_(nx),
      frequencies_(nx / 2 + 1),
      matrices_(kDirections * kDirections * matrix_size()),
      loads_(kDirections * field_size()),
      displacements_(kDirections * field_size()),
      rows_(static_cast<std::size_t>(nx) * my),
      periods_(static_cast<std::size_t>(kDirections) * kDirections * nx * my) {
  plan_lines(tables_, CUFFT_D2Z, nx, my * my, my);
  plan_lines(forward_, CUFFT_D2Z, nx, my, my);
  plan_lines(backward_, CUFFT_Z2D, nx, my, my);
}

void RowProduct::set_row(int jy, const std::vector<double>& periods, cudaStream_t stream) {
  periods_.upload(periods, stream);
  SLIPFIELD_CUFFT_CHECK(cufftSetStream(tables_.get(), stream));
  for (int pair = 0; pair < kDirections * kDirections; ++pair)
    SLIPFIELD_CUFFT_CHECK(
        cufftExecD2Z(tables_.get(), periods_.data() + static_cast<std::size_t>(pair) * nx_ * my_,
                     matrices_.data() + pair * matrix_size() + static_cast<std::size_t>(jy) * my_));
}

void RowProduct::all_rows_set(cudaStream_t stream) {
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));
  periods_ = {};
  tables_ = {};
}

void RowProduct::apply(Block block, const ConstFields& in, const Fields& out, cudaStream_t stream) {
  SLIPFIELD_CUFFT_CHECK(cufftSetStream(forward_.get(), stream));
  SLIPFIELD_CUFFT_CHECK(cufftSetStream(backward_.get(), stream));
  CurvedRowArguments arguments{};
  arguments.frequencies = frequencies_;
  arguments.my = my_;
  for (int from = 0; from < kDirections; ++from) {
    if (!block_takes(block, from)) continue;
    double2* load = loads_.data() + from * field_size();
    pad_rows_kernel<<<blocks_over(nx_, my_), kColumnThreads, 0, stream>>>(in.field[from], mx_, my_,
                                                                          nx_, rows_.data());
    SLIPFIELD_LAUNCH_CHECK("pad_rows_kernel");
    SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(forward_.get(), rows_.data(), load));
    arguments.load[from] = load;
  }
  for (int to = 0; to < kDirections; ++to) {
    if (!block_gives(block, to)) continue;
    arguments.displacement[to] = displacements_.data() + to * field_size();
    for (int from = 0; from < kDirections; ++from)
      arguments.matrix[to][from] =
          matrices_.data() + static_cast<std::size_t>(kDirections * to + from) * matrix_size();
  }
  const dim3 blocks((my_ + kRows - 1) / kRows, std::min(frequencies_, kMostRowBlocks));
  multiply_rows_kernel<<<blocks, dim3(kRows, kShares), 0, stream>>>(arguments);
  SLIPFIELD_LAUNCH_CHECK("multiply_rows_kernel");
  for (int to = 0; to < kDirections; ++to) {
    if (!block_gives(block, to)) continue;
    SLIPFIELD_CUFFT_CHECK(cufftExecZ2D(backward_.get(), arguments.displacement[to], rows_.data()));
    cut_rows_kernel<<<blocks_over(mx_, my_), kColumnThreads, 0, stream>>>(rows_.data(), mx_, my_,
                                                                          nx_, out.field[to]);
    SLIPFIELD_LAUNCH_CHECK("cut_rows_kernel");
  }
}

double RowProduct::bytes_moved(Block block) const {
  int taken = 0;
  int given = 0;
  for (int d = 0; d < kDirections; ++d) {
    taken += block_takes(block, d) ? 1 : 0;
    given += block_gives(block, d) ? 1 : 0;
  }
  const double fields = 8.0 * mx_ * my_ + 2.0 * sizeof(double2) * field_size();
  return sizeof(double2) * static_cast<double>(matrix_size()) * taken * given +
         (taken + given) * fields;
}

}  // namespace slipfield
