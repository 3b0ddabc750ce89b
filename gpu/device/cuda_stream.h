// SPDX-License-Identifier: Apache-2.0
// A stream, an event and a pinned piece of host memory that release themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/device/cuda_check.h"

namespace slipfield {

class CudaStream {
 public:
  CudaStream() { SLIPFIELD_CUDA_CHECK(cudaStreamCreate(&stream_)); }
  ~CudaStream() { SLIPFIELD_CUDA_REPORT(cudaStreamDestroy(stream_)); }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

// Without a time of its own.
class CudaEvent {
 public:
  CudaEvent() { SLIPFIELD_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~CudaEvent() { SLIPFIELD_CUDA_REPORT(cudaEventDestroy(event_)); }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  [[nodiscard]] cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) {
    SLIPFIELD_CUDA_CHECK(cudaMallocHost(&memory_, bytes));
  }
  ~PinnedMemory() { SLIPFIELD_CUDA_REPORT(cudaFreeHost(memory_)); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  [[nodiscard]] void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

}  // namespace slipfield
