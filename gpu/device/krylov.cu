// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/krylov.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>

#include "gpu/device/block_sum.cuh"
#include "gpu/device/current_device.h"
#include "gpu/device/launch_in_turn.cuh"

namespace slipfield {

namespace {

constexpr int kKrylovThreads = 256;
constexpr int kKrylovWarps = kKrylovThreads / 32;
constexpr int kMaxBlocks = 264;  // along the vectors, for each chunk of the basis
constexpr int kSums = kKrylovFused + 1;

// The number of vectors. Once the product of a basis is complete, the counter is one ahead.
__device__ __forceinline__ int vectors_of(const KrylovCount& of, int ahead = 0) {
  return of.given >= 0 ? of.given : *of.counter - ahead;
}

// products: those of the basis, followed by |w|^2. Called by all threads of a block.
__device__ __forceinline__ void store_column(const double* products, int count, double norm2,
                                             KrylovColumn* column, KrylovColumn* host = nullptr) {
  for (KrylovColumn* to : {column, host}) {
    if (to == nullptr) continue;
    for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x))
      to->product[k] = products[k];
    if (threadIdx.x == 0) to->norm2 = norm2;
  }
}

// Blocks (part of the entries, chunk of the basis); partial[sum][part], with a chunk's |w|^2 after
// its products. The last block to end adds the parts in order, into `raw` if it is given, else into
// the column, there and in the host's memory.
__global__ void __launch_bounds__(kKrylovThreads)
    multiply_basis(const __grid_constant__ KrylovBasis basis, const KrylovCount of, const double* w,
                   const std::size_t counted, double* __restrict__ partial,
                   unsigned* __restrict__ ticket, double* raw, KrylovColumn* column,
                   KrylovColumn* host) {
  begin_in_turn();
  const int count = vectors_of(of);
  const std::size_t size = basis.size;
  const int parts = static_cast<int>(gridDim.x);
  const int first = static_cast<int>(blockIdx.y) * kKrylovFused;
  const int vectors = min(kKrylovFused, count - first);
  const float* chunk = basis.chunk[blockIdx.y];
  double sums[kSums] = {};
  const std::size_t stride = static_cast<std::size_t>(parts) * kKrylovThreads;
#pragma unroll 2
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kKrylovThreads + threadIdx.x;
       i < counted; i += stride) {
    const double value = w[i];
#pragma unroll
    for (int k = 0; k < kKrylovFused; ++k) {
      if (k < vectors) sums[k] += static_cast<double>(chunk[k * size + i]) * value;
    }
    sums[kKrylovFused] += value * value;
  }
  const double total = block_total<kSums, kKrylovThreads>(sums);
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
  for (int k = static_cast<int>(threadIdx.x >> 5); k <= count; k += kKrylovWarps) {
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
    for (int k = static_cast<int>(threadIdx.x); k <= count; k += kKrylovThreads)
      raw[k] = products[k];
    return;
  }
  store_column(products, count, norm2_left(products, count), column, host);
  if (threadIdx.x == 0) *of.counter = count + 1;  // read by all blocks before
}

__global__ void __launch_bounds__(kKrylovThreads)
    add_products(const double* all, const int cards, const int stride, const int count,
                 KrylovColumn* column) {
  begin_in_turn();
  __shared__ double products[kKrylovRestart + 1];
  for (int k = static_cast<int>(threadIdx.x); k <= count; k += kKrylovThreads) {
    double sum = 0.0;
    for (int card = 0; card < cards; ++card) sum += all[card * stride + k];
    products[k] = sum;
  }
  __syncthreads();
  store_column(products, count, norm2_left(products, count), column);
}

__global__ void __launch_bounds__(kKrylovThreads)
    subtract_basis(const __grid_constant__ KrylovBasis basis, const KrylovCount of, double* w,
                   const KrylovColumn* column) {
  begin_in_turn();
  const int count = vectors_of(of, 1);
  float* const stored = basis.vector(count);
  __shared__ double product[kKrylovRestart];
  for (int k = static_cast<int>(threadIdx.x); k < count; k += kKrylovThreads)
    product[k] = column->product[k];
  __syncthreads();
  const double norm2 = column->norm2;
  const std::size_t size = basis.size;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kKrylovThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kKrylovThreads + threadIdx.x;
       i < size; i += stride) {
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

// Runs in one cluster of blocks, each with its parts of kKrylovThreads entries like multiply_basis:
// the same sums in the same order.
constexpr int kClusterBlocks = 8;
constexpr int kClusterThreads = 1024;
constexpr int kPartsAtOnce = kClusterThreads / kKrylovThreads;
constexpr int kRounds = 2;  // entries of a thread
constexpr int kBlockParts = kRounds * kPartsAtOnce;
static_assert(kClusterBlocks * kBlockParts * kKrylovThreads == CudaKrylov::kMostInCluster, "");

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

constexpr int kAtOnce = 8;  // sums

// Sums eight numbers of each lane over a warp and returns sum number_of(lane) in each lane. Adds in
// the same order as a tree of shuffles for each, in 9 shuffles instead of 40.
__device__ __forceinline__ double sum_of_eight(double (&value)[kAtOnce], int lane) {
#pragma unroll
  for (int half = kAtOnce / 2; half > 0; half /= 2) {
    const int offset = 4 * half;
    const bool upper = (lane & offset) != 0;
#pragma unroll
    for (int k = 0; k < half; ++k) {
      const double sent = upper ? value[k] : value[k + half];
      const double kept = upper ? value[k + half] : value[k];
      value[k] = kept + __shfl_xor_sync(0xffffffffu, sent, offset);
    }
  }
  value[0] += __shfl_xor_sync(0xffffffffu, value[0], 2);
  return value[0] + __shfl_xor_sync(0xffffffffu, value[0], 1);
}
__device__ __forceinline__ int number_of(int lane) { return lane >> 2; }

using WarpSums = double[kAtOnce][kRounds * kClusterThreads / 32];

// A thread's entries of eight vectors of the basis.
using Factors = float[kRounds][kAtOnce];

// Loads the thread's entries of up to eight vectors, from `first` on, with all loads in flight at
// the same time. entry: below basis.size if the thread has one.
__device__ __forceinline__ void load_eight(const KrylovBasis& basis, int count, int first,
                                           const unsigned (&entry)[kRounds], Factors& factor) {
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) {
    const int of = first + k;
    const float* vector = nullptr;
    if (of < count) vector = basis.chunk[of / kKrylovFused] + of % kKrylovFused * basis.size;
#pragma unroll
    for (int r = 0; r < kRounds; ++r)
      factor[r][k] = of < count && entry[r] < basis.size ? vector[entry[r]] : 0.0F;
  }
}

// Each warp's part of the products of w with those vectors, followed after the last one by that of
// |w|^2. value: w at the thread's entries; 0 beyond its end.
__device__ __forceinline__ void multiply_eight(const Factors& factor, int count, int first,
                                               const double (&value)[kRounds], WarpSums& sums) {
  const int lane = static_cast<int>(threadIdx.x & 31);
  const int warp = static_cast<int>(threadIdx.x >> 5);
#pragma unroll
  for (int r = 0; r < kRounds; ++r) {
    double term[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      term[k] = (first + k == count ? value[r] : static_cast<double>(factor[r][k])) * value[r];
    const double sum = sum_of_eight(term, lane);
    if (lane % 4 == 0) sums[number_of(lane)][r * (kClusterThreads / 32) + warp] = sum;
  }
}

#endif

__global__ void __launch_bounds__(kClusterThreads)
    orthogonalize_in_cluster(const __grid_constant__ KrylovBasis basis, const KrylovCount of,
                             double* w, KrylovColumn* column, KrylovColumn* host) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  begin_in_turn();
  const int count = vectors_of(of);
  float* const stored = basis.vector(count);
  __shared__ WarpSums of_warp[2];
  __shared__ double of_part[kKrylovRestart + 1][kBlockParts];
  __shared__ double products[kKrylovRestart + 1];  // and |w|^2
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread & 31;
  const int warp = thread >> 5;
  const std::size_t size = basis.size;
  const int parts = static_cast<int>((size + kKrylovThreads - 1) / kKrylovThreads);
  const int own = (parts + kClusterBlocks - 1) / kClusterBlocks;  // of a block
  unsigned entry[kRounds];
  double value[kRounds];
#pragma unroll
  for (int r = 0; r < kRounds; ++r) {
    const int part = r * kPartsAtOnce + thread / kKrylovThreads;
    entry[r] = (cluster.block_rank() * own + part) * kKrylovThreads + thread % kKrylovThreads;
    if (part >= own || entry[r] >= size) entry[r] = static_cast<unsigned>(size);
    value[r] = entry[r] < size ? w[entry[r]] : 0.0;
  }

  Factors factor;
  load_eight(basis, count, 0, entry, factor);
  for (int first = 0; first <= count; first += kAtOnce) {
    WarpSums& sums = of_warp[first / kAtOnce % 2];
    multiply_eight(factor, count, first, value, sums);
    // Loads the next vectors; after the last ones the first ones again, for the subtraction.
    const int next = first + kAtOnce;
    load_eight(basis, count, next < count ? next : 0, entry, factor);
    __syncthreads();
    const int part = thread / kAtOnce;
    const int k = thread % kAtOnce;
    if (part < own && first + k <= count) {
      double total = 0.0;
      for (int of = 0; of < kKrylovWarps; ++of) total += sums[k][part * kKrylovWarps + of];
      of_part[first + k][part] = total;
    }
  }
  cluster.sync();

  for (int k = warp; k <= count; k += kClusterThreads / 32) {
    double sum = 0.0;
    for (int part = lane; part < parts; part += 32)
      sum += *cluster.map_shared_rank(&of_part[k][part % own], part / own);
    for (int offset = 16; offset > 0; offset >>= 1)
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) products[k] = sum;
  }
  __syncthreads();
  cluster.barrier_arrive();  // from here on no block needs the others' parts
  const double norm2 = norm2_left(products, count);
  if (cluster.block_rank() == 0) store_column(products, count, norm2, column, host);
  for (int first = 0; first < count; first += kAtOnce) {
    if (first > 0) load_eight(basis, count, first, entry, factor);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (first + k >= count) break;
#pragma unroll
      for (int r = 0; r < kRounds; ++r)
        value[r] -= products[first + k] * static_cast<double>(factor[r][k]);
    }
  }
#pragma unroll
  for (int r = 0; r < kRounds; ++r) {
    if (entry[r] >= size) continue;
    value[r] = norm2 > 0.0 ? value[r] / sqrt(norm2) : 0.0;
    w[entry[r]] = value[r];
    stored[entry[r]] = static_cast<float>(value[r]);
  }
  cluster.barrier_wait();
  if (cluster.block_rank() == 0 && thread == 0) *of.counter = count + 1;  // read by all before
#endif
}

unsigned blocks_for(std::size_t size) {
  return static_cast<unsigned>((size + kKrylovThreads - 1) / kKrylovThreads);
}

}  // namespace

CudaKrylov::CudaKrylov(cudaStream_t stream, bool overlap, bool in_cluster)
    : stream_(stream),
      overlap_(overlap),
      in_cluster_(in_cluster && largest_cluster(current_limits()) >= kClusterBlocks),
      counter_(1),
      ticket_(1),
      partial_(static_cast<std::size_t>(KrylovBasis::kChunks) * kSums * kMaxBlocks) {
  ticket_.zero(stream);
}

void CudaKrylov::orthogonalize(const KrylovBasis& basis, int count, double* w, KrylovColumn* column,
                               KrylovColumn* host) {
  const KrylovCount of{count == next_ ? -1 : count, counter_.data()};
  next_ = count + 1;
  if (in_cluster_ && basis.size <= kMostInCluster) {
    launch_kernel(orthogonalize_in_cluster,
                  {kClusterBlocks, kClusterThreads, 0, kClusterBlocks, overlap_}, stream_, basis,
                  of, w, column, host);
    return;
  }
  launch_multiply(basis, count, of, w, basis.size, nullptr, column, host);
  launch_subtract(basis, {-1, counter_.data()}, w, column);
}

void CudaKrylov::multiply(const KrylovBasis& basis, int count, const double* w, std::size_t counted,
                          double* products) {
  launch_multiply(basis, count, {count, nullptr}, w, counted, products, nullptr, nullptr);
}

void CudaKrylov::add_up(const double* products, int cards, int stride, int count,
                        KrylovColumn* column) {
  launch_in_turn(add_products, dim3(1), kKrylovThreads, stream_, overlap_, products, cards, stride,
                 count, column);
}

void CudaKrylov::launch_multiply(const KrylovBasis& basis, int count, const KrylovCount& of,
                                 const double* w, std::size_t counted, double* products,
                                 KrylovColumn* column, KrylovColumn* host) {
  const unsigned chunks =
      static_cast<unsigned>(std::max(1, (count + kKrylovFused - 1) / kKrylovFused));
  launch_in_turn(multiply_basis,
                 dim3(std::min<unsigned>(blocks_for(basis.size), kMaxBlocks), chunks),
                 kKrylovThreads, stream_, overlap_, basis, of, w, counted, partial_.data(),
                 ticket_.data(), products, column, host);
}

void CudaKrylov::subtract(const KrylovBasis& basis, int count, double* w,
                          const KrylovColumn* column) {
  launch_subtract(basis, {count, nullptr}, w, column);
}

void CudaKrylov::launch_subtract(const KrylovBasis& basis, const KrylovCount& of, double* w,
                                 const KrylovColumn* column) {
  launch_in_turn(subtract_basis, std::min<unsigned>(blocks_for(basis.size), 8 * kMaxBlocks),
                 kKrylovThreads, stream_, overlap_, basis, of, w, column);
}

}  // namespace slipfield
