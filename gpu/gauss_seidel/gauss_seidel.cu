// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/cpu/cpu_gauss_seidel.cpp.
#include "gpu/gauss_seidel/gauss_seidel.h"

#include <algorithm>
#include <limits>

#include "gpu/device/cuda_check.h"
#include "gpu/device/current_device.h"
#include "gpu/gauss_seidel/chain_block.cuh"
#include "gpu/gauss_seidel/owners.cuh"

namespace slipfield {

namespace {

using gauss_seidel::kPanel;
using gauss_seidel::kThreads;
using gauss_seidel::SweepTask;

struct SharedMemory {
  union {
    gauss_seidel::ChainShared chain;
    gauss_seidel::OwnerShared owner;
  };
};

__global__ void __launch_bounds__(kThreads, 1) sweep_kernel(const SweepTask task) {
  extern __shared__ __align__(16) unsigned char memory[];
  SharedMemory& shared = *reinterpret_cast<SharedMemory*>(memory);
  if (blockIdx.x == 0) {
    gauss_seidel::run_chain(task, shared.chain);
  } else {
    gauss_seidel::keep_slip(task, shared.owner);
  }
}

constexpr int kSelectThreads = 1024;

// The grid's elements in the sweep's order.
struct SweepPlaces {
  int mx;
  int my;
  SweepOrder order;

  // The index of the k-th element.
  [[nodiscard]] __device__ int operator()(int k) const {
    const int ix = k % mx;
    const int iy = k / mx;
    return (order.y_backwards ? my - 1 - iy : iy) * mx + (order.x_backwards ? mx - 1 - ix : ix);
  }
  [[nodiscard]] __device__ bool touches(const unsigned char* state, int k) const {
    return k < mx * my && in_contact(state[(*this)(k)]);
  }
};

// Counts the elements in contact in each block, one element per thread.
__global__ void __launch_bounds__(kSelectThreads)
    count_kernel(const unsigned char* state, SweepPlaces places, int* counts) {
  const int k = static_cast<int>(blockIdx.x) * kSelectThreads + static_cast<int>(threadIdx.x);
  const int count = __syncthreads_count(places.touches(state, k));
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// Lists them in the sweep's order; their number follows the list's places, of which there is one
// for each element of the grid.
__global__ void __launch_bounds__(kSelectThreads)
    select_kernel(const unsigned char* state, SweepPlaces places, const int* counts,
                  int* selected) {
  __shared__ int ahead;  // in the blocks before
  __shared__ int of_warp[kSelectThreads / 32];
  const int t = static_cast<int>(threadIdx.x);
  const int block = static_cast<int>(blockIdx.x);
  const int k = block * kSelectThreads + t;
  const bool taken = places.touches(state, k);
  const unsigned warp = __ballot_sync(0xffffffffu, taken);
  if (t == 0) ahead = 0;
  if (t % 32 == 0) of_warp[t / 32] = __popc(warp);
  __syncthreads();
  int before = 0;
  for (int b = t; b < block; b += kSelectThreads) before += counts[b];
  if (before > 0) atomicAdd(&ahead, before);
  __syncthreads();
  int at = ahead + __popc(warp & ((1u << (t % 32)) - 1));
  for (int w = 0; w < t / 32; ++w) at += of_warp[w];
  if (taken) selected[at] = places(k);
  const int n = places.mx * places.my;
  if (k == n - 1) selected[n] = at + (taken ? 1 : 0);
}

// The elements' indices, and their places in the tables.
__global__ void list_kernel(const int* selected, int elements, int mx, int my, int* index,
                            int2* offsets) {
  const int e = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (e >= elements) return;
  const int i = selected[e];
  const int ix = i % mx;
  const int iy = i / mx;
  const int width = 2 * mx - 1;
  index[e] = i;
  offsets[e] = {(iy + my - 1) * width + ix + mx - 1, iy * width + ix};
}

template <class T>
void reserve(DeviceArray<T>& array, std::size_t size) {
  if (array.size() < size) array = DeviceArray<T>(size);
}

constexpr int kCyclic = 4;  // panels: a sweep may then follow the last without a stop

constexpr int panels_of(int elements) { return (elements + kPanel - 1) / kPanel; }

}  // namespace

GaussSeidelSweeper::GaussSeidelSweeper(const Grid& grid, cudaStream_t stream)
    : grid_(grid), stream_(stream), solved_(1), sums_(kMaxCount), selected_(grid.count() + 1) {
  const double table = (2.0 * grid.mx - 1.0) * (2.0 * grid.my - 1.0);
  if (table > std::numeric_limits<int>::max()) {
    throw Error("gauss_seidel on the GPU counts coefficients with 31 bits; the grid is larger");
  }
  most_owners_ = most_sweep_owners(current_limits(), sizeof(SharedMemory));
  SLIPFIELD_CUDA_CHECK(cudaFuncSetAttribute(sweep_kernel,
                                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(sizeof(SharedMemory))));
  solved_.zero(stream_);
}

void GaussSeidelSweeper::set_contact(const double* device_xx, const double* device_xy,
                                     const double* device_yy, const unsigned char* device_state,
                                     SweepOrder order) {
  tables_[0] = device_xx;
  tables_[1] = device_xy;
  tables_[2] = device_yy;
  const auto count = static_cast<int>(grid_.count());
  const int blocks = (count + kSelectThreads - 1) / kSelectThreads;
  const SweepPlaces places{grid_.mx, grid_.my, order};
  int* selected = selected_.data();
  reserve(counts_, static_cast<std::size_t>(blocks));
  count_kernel<<<static_cast<unsigned>(blocks), kSelectThreads, 0, stream_>>>(device_state, places,
                                                                              counts_.data());
  SLIPFIELD_LAUNCH_CHECK("count_kernel");
  select_kernel<<<static_cast<unsigned>(blocks), kSelectThreads, 0, stream_>>>(
      device_state, places, counts_.data(), selected);
  SLIPFIELD_LAUNCH_CHECK("select_kernel");
  SLIPFIELD_CUDA_CHECK(
      cudaMemcpyAsync(&elements_, selected + count, sizeof(int), cudaMemcpyDeviceToHost, stream_));
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream_));
  if (elements_ == 0) return;

  const auto padded = static_cast<std::size_t>(panels_of(elements_)) * kPanel;
  reserve(index_, padded);
  reserve(offsets_, padded);
  reserve(slip_, padded);
  reserve(snapshot_, padded);
  reserve(changes_, 2 * padded);
  reserve(ready_, padded / kPanel);
  ready_.zero(stream_);
  sweeps_done_ = 0;
  list_kernel<<<static_cast<unsigned>((elements_ + 255) / 256), 256, 0, stream_>>>(
      selected, elements_, grid_.mx, grid_.my, index_.data(), offsets_.data());
  SLIPFIELD_LAUNCH_CHECK("list_kernel");
}

void GaussSeidelSweeper::launch(const TangentialFields& device_fields, double relaxation,
                                int count) {
  if (elements_ == 0) return;
  if (count > kMaxCount) throw Error("gauss_seidel on the GPU: too many sweeps for one launch");
  const int panels = panels_of(elements_);
  if (panels < kCyclic && count > 1) {
    for (int sweep = 0; sweep < count; ++sweep) launch(device_fields, relaxation, 1);
    return;
  }
  const int owners = std::min(most_owners_, panels);
  SweepTask task{};
  task.xx = tables_[0];
  task.xy = tables_[1];
  task.yy = tables_[2];
  task.self = (grid_.my - 1) * (2 * grid_.mx - 1) + grid_.mx - 1;
  task.index = index_.data();
  task.offsets = offsets_.data();
  task.slip = slip_.data();
  task.snapshot = snapshot_.data();
  task.changes = changes_.data();
  task.ready = ready_.data();
  task.solved = solved_.data();
  task.sums = sums_.data();
  task.fields = device_fields;
  task.relaxation = relaxation;
  task.elements = elements_;
  task.panels = panels;
  task.sweeps = count;
  task.panels_per_block = (panels + owners - 1) / owners;
  task.sweeps_before = sweeps_done_;
  task.panels_before = panels_done_;
  sweeps_done_ += static_cast<unsigned>(count);
  panels_done_ += static_cast<unsigned long long>(count) * static_cast<unsigned>(panels);
  void* arguments[] = {&task};
  // A cooperative launch, because the blocks wait for each other.
  SLIPFIELD_CUDA_CHECK(cudaLaunchCooperativeKernel(
      reinterpret_cast<const void*>(sweep_kernel), dim3(static_cast<unsigned>(owners) + 1),
      dim3(kThreads), arguments, sizeof(SharedMemory), stream_));
}

SweepChange GaussSeidelSweeper::sweep(const TangentialFields& device_fields, double relaxation) {
  return sweeps(device_fields, relaxation, 1).front();
}

std::vector<SweepChange> GaussSeidelSweeper::sweeps(const TangentialFields& device_fields,
                                                    double relaxation, int count) {
  std::vector<SweepChange> changes(static_cast<std::size_t>(count));
  if (elements_ == 0) return changes;
  const int at_once = panels_of(elements_) < kCyclic ? 1 : kMaxCount;
  for (int first = 0; first < count; first += at_once) {
    const int now = std::min(at_once, count - first);
    launch(device_fields, relaxation, now);
    sums_.download(changes.data() + first, static_cast<std::size_t>(now), stream_);
  }
  return changes;
}

}  // namespace slipfield
