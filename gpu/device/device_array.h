// SPDX-License-Identifier: Apache-2.0
// An array in device memory that frees itself. Host compilers may include this.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "gpu/device/cuda_check.h"

namespace slipfield {

template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size)
      : data_(static_cast<T*>(allocate_on_device(size * sizeof(T)))), size_(size) {}
  template <class Allocator>
  explicit DeviceArray(const std::vector<T, Allocator>& host) : DeviceArray(host.size()) {
    upload(host);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceArray() { free_on_device(data_); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

  // Gives up the memory, which is then kept until the process ends; the array becomes empty.
  T* release() {
    size_ = 0;
    return std::exchange(data_, nullptr);
  }

  // Runs after the earlier work of `stream`. The host memory may be reused on return.
  void upload(const T* host, std::size_t count, cudaStream_t stream = nullptr) {
    if (count == 0) return;
    SLIPFIELD_CUDA_CHECK(
        cudaMemcpyAsync(data_, host, count * sizeof(T), cudaMemcpyHostToDevice, stream));
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  template <class Allocator>
  void upload(const std::vector<T, Allocator>& host, cudaStream_t stream = nullptr) {
    upload(host.data(), host.size(), stream);
  }
  // Waits for `stream`.
  void download(T* host, std::size_t count, cudaStream_t stream = nullptr) const {
    if (count == 0) return;
    SLIPFIELD_CUDA_CHECK(
        cudaMemcpyAsync(host, data_, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  [[nodiscard]] std::vector<T> download(cudaStream_t stream = nullptr) const {
    std::vector<T> host(size_);
    download(host.data(), size_, stream);
    return host;
  }
  // Every byte 0; asynchronous.
  void zero(cudaStream_t stream = nullptr) {
    if (size_ != 0) SLIPFIELD_CUDA_CHECK(cudaMemsetAsync(data_, 0, bytes(), stream));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// A handle of the runtime that releases itself.
template <class Handle, cudaError_t (*kRelease)(Handle)>
class CudaHandle {
 public:
  CudaHandle(const CudaHandle&) = delete;
  CudaHandle& operator=(const CudaHandle&) = delete;
  [[nodiscard]] Handle get() const { return handle_; }

 protected:
  CudaHandle() = default;
  ~CudaHandle() {
    if (handle_ != nullptr) SLIPFIELD_CUDA_REPORT(kRelease(handle_));
  }
  Handle handle_ = nullptr;
};

struct CudaStream : CudaHandle<cudaStream_t, cudaStreamDestroy> {
  CudaStream() { SLIPFIELD_CUDA_CHECK(cudaStreamCreate(&handle_)); }
};

// Without timing, unless the flags request it.
struct CudaEvent : CudaHandle<cudaEvent_t, cudaEventDestroy> {
  explicit CudaEvent(unsigned flags = cudaEventDisableTiming) {
    SLIPFIELD_CUDA_CHECK(cudaEventCreateWithFlags(&handle_, flags));
  }
};

struct PinnedMemory : CudaHandle<void*, cudaFreeHost> {
  explicit PinnedMemory(std::size_t bytes) {
    SLIPFIELD_CUDA_CHECK(cudaMallocHost(&handle_, bytes));
  }
};

}  // namespace slipfield
