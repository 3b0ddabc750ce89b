// SPDX-License-Identifier: Apache-2.0
// Parts of a run on a device that take long to make: a stream, pinned memory, the graphs of its
// launches.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/device/device_array.h"
#include "gpu/device/element_launch.h"
#include "gpu/device/launch_replay.h"

namespace slipfield {

// Large copies to the host, by way of pinned memory in pieces: the next piece is on its way while
// one is put where it belongs. For one thread at a time.
class StagedDownload {
 public:
  // Ordered after what `stream` holds; waits for it. The staging memory is made for the first large
  // copy and kept.
  void copy(void* host, const void* device, std::size_t bytes, cudaStream_t stream);

 private:
  std::unique_ptr<PinnedMemory> staging_;
};

// Asks for large pages of the host's memory, which take less time to be made.
void advise_large_pages(void* memory, std::size_t bytes);

// Returns `count` zeros.
template <class T>
std::vector<T> make_host_values(std::size_t count) {
  std::vector<T> values;
  values.reserve(count);
  advise_large_pages(values.data(), count * sizeof(T));
  values.resize(count);
  return values;
}

struct BackendKit {
  static constexpr std::size_t kStagingBytes = 4096;
  // The memory and the event of a read that was begun and is awaited later.
  struct Ahead {
    PinnedMemory memory{kStagingBytes};
    CudaEvent has_read;
  };

  BackendKit();

  int device = 0;  // the calling thread's, when the kit was made
  CudaStream stream;
  LaunchReplay replay{stream.get()};
  PinnedMemory staging{kStagingBytes};
  std::array<Ahead, 2> ahead;
  StagedDownload download;
  DeviceArray<double> workspace{element_workspace_size()};
};

// A kit for the device of the calling thread; the next run takes it over, unless an exception ended
// this one. What lies unused is never released: the runtime may be gone when a process ends.
class BackendKitLoan {
 public:
  BackendKitLoan();
  ~BackendKitLoan();
  BackendKitLoan(const BackendKitLoan&) = delete;
  BackendKitLoan& operator=(const BackendKitLoan&) = delete;
  [[nodiscard]] BackendKit& operator*() const { return *kit_; }
  [[nodiscard]] BackendKit* operator->() const { return kit_.get(); }

 private:
  std::unique_ptr<BackendKit> kit_;
};

}  // namespace slipfield
