// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda_check.h"

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "solver/memory_estimate.h"

namespace slipfield {

namespace {

std::atomic<bool> device_is_lost = false;

std::string place(const CallSite& site) {
  return std::string(site.call) + " at " + site.file + ":" + std::to_string(site.line);
}

}  // namespace

CudaOutOfMemory::CudaOutOfMemory(const std::string& needed, std::size_t bytes_free)
    : OutOfMemory("the GPU has too little free memory: " + needed + ", " +
                  readable_bytes(bytes_free) +
                  " free; accepted: the backend cpu, a smaller grid, or another run when other "
                  "programs have released memory") {}

// If the next call still sees the error, only a new process can clear it.
void throw_cuda_error(const std::string& code_name, const std::string& text, const CallSite& site) {
  cudaGetLastError();
  if (cudaDeviceSynchronize() == cudaSuccess)
    throw CudaError("CUDA call failed: " + code_name + " (" + text + ") by " + place(site));
  device_is_lost = true;
  throw BackendLost("the GPU failed and no longer responds: " + text + " (" + code_name +
                    ", seen by " + place(site) +
                    "); accepted: another run in a new process, or the backend cpu");
}

void throw_cuda_error(cudaError_t code, const CallSite& site) {
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw CudaOutOfMemory(place(site) + " found no room", free_device_bytes());
  }
  throw_cuda_error(cudaGetErrorName(code), cudaGetErrorString(code), site);
}

void report_cuda_error(cudaError_t code, const CallSite& site) noexcept {
  if (device_is_lost) return;
  std::fprintf(stderr, "slipfield: CUDA call failed: %s gave %s (%s) at %s:%d\n", site.call,
               cudaGetErrorName(code), cudaGetErrorString(code), site.file, site.line);
}

namespace {

// The pool of this thread's device, which keeps freed memory: a run makes a few hundred arrays, and
// a plain allocation takes about 0.1 ms. Ordered on the default stream, with which every stream of
// this program synchronises.
cudaMemPool_t memory_pool() {
  thread_local int known_device = -1;
  thread_local cudaMemPool_t pool = nullptr;
  int device = 0;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  if (device == known_device) return pool;
  SLIPFIELD_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t keep = UINT64_MAX;
  SLIPFIELD_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  known_device = device;
  return pool;
}

}  // namespace

std::size_t free_device_bytes() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  SLIPFIELD_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  cudaMemPool_t pool = memory_pool();
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  SLIPFIELD_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  SLIPFIELD_CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  return free_bytes + static_cast<std::size_t>(reserved - used);
}

void* allocate_on_device(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  cudaMemPool_t pool = memory_pool();
  void* pointer = nullptr;
  const cudaError_t code = cudaMallocFromPoolAsync(&pointer, bytes, pool, nullptr);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // the next call must not see the error of the failed allocation
    throw CudaOutOfMemory(readable_bytes(bytes) + " asked in one piece", free_device_bytes());
  }
  if (code != cudaSuccess) {
    throw_cuda_error(code, {"cudaMallocFromPoolAsync", __FILE__, __LINE__});
  }
  return pointer;
}

void free_on_device(void* pointer) noexcept {
  if (pointer == nullptr) return;
  SLIPFIELD_CUDA_REPORT(cudaFreeAsync(pointer, nullptr));
}

}  // namespace slipfield
