// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/krylov.h"

#include <cuda_runtime.h>

#include <algorithm>

#include "gpu/device/launch_in_turn.cuh"

namespace slipfield {

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kMaxBlocks = 264;  // along the vectors, for each chunk of the basis
constexpr int kSums = kKrylovFused + 1;

// Sums over the block of kSums numbers of each thread; valid in the first kSums threads.
__device__ __forceinline__ double chunk_sum(double (&sums)[kSums]) {
  __shared__ double warp_sums[kSums][kWarps];
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
#pragma unroll
  for (int k = 0; k < kSums; ++k) {
    for (int offset = 16; offset > 0; offset >>= 1)
      sums[k] += __shfl_down_sync(0xffffffffu, sums[k], offset);
    if (lane == 0) warp_sums[k][warp] = sums[k];
  }
  __syncthreads();
  double total = 0.0;
  if (threadIdx.x < kSums) {
    for (int w = 0; w < kWarps; ++w) total += warp_sums[threadIdx.x][w];
  }
  return total;
}

// products: of the basis, and behind them |w|^2; by all threads of a block.
__device__ __forceinline__ void store_column(const double* products, int count,
                                             KrylovColumn* column) {
  for (int k = static_cast<int>(threadIdx.x); k < count; k += kThreads)
    column->product[k] = products[k];
  if (threadIdx.x != 0) return;
  const double whole = products[count];
  double left = whole;
  for (int k = 0; k < count; ++k) left -= products[k] * products[k];
  column->norm2 = left > kKrylovRounding * whole ? left : 0.0;
}

// Blocks (part of the entries, chunk of the basis); partial[sum][part], a chunk's |w|^2 behind its
// products. The block that ends last adds up, in the order of the parts: into `raw` where there is
// such, else into the column.
__global__ void __launch_bounds__(kThreads)
    multiply_basis(const KrylovBasis basis, const int count, const double* w,
                   const std::size_t counted, double* __restrict__ partial,
                   unsigned* __restrict__ ticket, double* raw, KrylovColumn* column) {
  begin_in_turn();
  const std::size_t size = basis.size;
  const int parts = static_cast<int>(gridDim.x);
  const int first = static_cast<int>(blockIdx.y) * kKrylovFused;
  const int vectors = min(kKrylovFused, count - first);
  const float* chunk = basis.chunk[blockIdx.y];
  double sums[kSums] = {};
  const std::size_t stride = static_cast<std::size_t>(parts) * kThreads;
#pragma unroll 2
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < counted;
       i += stride) {
    const double value = w[i];
#pragma unroll
    for (int k = 0; k < kKrylovFused; ++k) {
      if (k < vectors) sums[k] += static_cast<double>(chunk[k * size + i]) * value;
    }
    sums[kKrylovFused] += value * value;
  }
  const double total = chunk_sum(sums);
  if (threadIdx.x < kSums) {
    partial[(blockIdx.y * kSums + threadIdx.x) * static_cast<std::size_t>(parts) + blockIdx.x] =
        total;
    __threadfence();
  }
  __shared__ bool last;
  __syncthreads();
  const unsigned blocks = gridDim.x * gridDim.y;
  if (threadIdx.x == 0) last = atomicInc(ticket, blocks - 1) == blocks - 1;  // wraps to 0
  __syncthreads();
  if (!last) return;
  __threadfence();

  __shared__ double products[kKrylovRestart + 1];  // and |w|^2
  const int lane = threadIdx.x & 31;
  for (int k = static_cast<int>(threadIdx.x >> 5); k <= count; k += kWarps) {
    const int row = k < count ? k / kKrylovFused * kSums + k % kKrylovFused : kKrylovFused;
    double sum = 0.0;
    for (int part = lane; part < parts; part += 32)
      sum += __ldcg(partial + row * static_cast<std::size_t>(parts) + part);
    for (int offset = 16; offset > 0; offset >>= 1)
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) products[k] = sum;
  }
  __syncthreads();
  if (raw != nullptr) {
    for (int k = static_cast<int>(threadIdx.x); k <= count; k += kThreads) raw[k] = products[k];
    return;
  }
  store_column(products, count, column);
}

__global__ void __launch_bounds__(kThreads)
    add_products(const double* all, const int cards, const int stride, const int count,
                 KrylovColumn* column) {
  begin_in_turn();
  __shared__ double products[kKrylovRestart + 1];
  for (int k = static_cast<int>(threadIdx.x); k <= count; k += kThreads) {
    double sum = 0.0;
    for (int card = 0; card < cards; ++card) sum += all[card * stride + k];
    products[k] = sum;
  }
  __syncthreads();
  store_column(products, count, column);
}

__global__ void __launch_bounds__(kThreads)
    subtract_basis(const KrylovBasis basis, const int count, double* w, float* __restrict__ stored,
                   const KrylovColumn* column) {
  begin_in_turn();
  __shared__ double product[kKrylovRestart];
  for (int k = static_cast<int>(threadIdx.x); k < count; k += kThreads)
    product[k] = column->product[k];
  __syncthreads();
  const double norm2 = column->norm2;
  const std::size_t size = basis.size;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < size;
       i += stride) {
    double value = w[i];
    for (int first = 0; first < count; first += kKrylovFused) {
      const float* chunk = basis.chunk[first / kKrylovFused];
      const int vectors = min(kKrylovFused, count - first);
#pragma unroll
      for (int k = 0; k < kKrylovFused; ++k) {
        if (k < vectors) value -= product[first + k] * static_cast<double>(chunk[k * size + i]);
      }
    }
    value = norm2 > 0.0 ? value / sqrt(norm2) : 0.0;
    w[i] = value;
    stored[i] = static_cast<float>(value);
  }
}

unsigned blocks_for(std::size_t size) {
  return static_cast<unsigned>((size + kThreads - 1) / kThreads);
}

}  // namespace

CudaKrylov::CudaKrylov(cudaStream_t stream, bool overlap)
    : stream_(stream),
      overlap_(overlap),
      ticket_(1),
      partial_(static_cast<std::size_t>(KrylovBasis::kChunks) * kSums * kMaxBlocks) {
  ticket_.zero(stream);
}

void CudaKrylov::orthogonalize(const KrylovBasis& basis, int count, double* w, float* stored,
                               KrylovColumn* column) {
  launch_multiply(basis, count, w, basis.size, nullptr, column);
  subtract(basis, count, w, stored, column);
}

void CudaKrylov::multiply(const KrylovBasis& basis, int count, const double* w, std::size_t counted,
                          double* products) {
  launch_multiply(basis, count, w, counted, products, nullptr);
}

void CudaKrylov::add_up(const double* products, int cards, int stride, int count,
                        KrylovColumn* column) {
  launch_in_turn(add_products, dim3(1), kThreads, stream_, overlap_, products, cards, stride, count,
                 column);
}

void CudaKrylov::launch_multiply(const KrylovBasis& basis, int count, const double* w,
                                 std::size_t counted, double* products, KrylovColumn* column) {
  const unsigned chunks =
      static_cast<unsigned>(std::max(1, (count + kKrylovFused - 1) / kKrylovFused));
  launch_in_turn(multiply_basis,
                 dim3(std::min<unsigned>(blocks_for(basis.size), kMaxBlocks), chunks), kThreads,
                 stream_, overlap_, basis, count, w, counted, partial_.data(), ticket_.data(),
                 products, column);
}

void CudaKrylov::subtract(const KrylovBasis& basis, int count, double* w, float* stored,
                          const KrylovColumn* column) {
  launch_in_turn(subtract_basis, std::min<unsigned>(blocks_for(basis.size), 8 * kMaxBlocks),
                 kThreads, stream_, overlap_, basis, count, w, stored, column);
}

}  // namespace slipfield
