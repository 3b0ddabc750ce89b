// SPDX-License-Identifier: Apache-2.0
// The parts of a run on a device that are slow to make: a stream, pinned memory, graphs of
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
#include "solver/fields/solver_backend.h"

namespace slipfield {

// Copies large amounts to the host through pinned memory, piece by piece: the next piece is copied
// while one is moved to its place. For one thread at a time.
class StagedDownload {
 public:
  // Runs after the earlier work of `stream` and waits for it. The staging memory is made on first
  // use, for a large copy or for fields, and kept.
  void copy(void* host, const void* device, std::size_t bytes, cudaStream_t stream);
  // Likewise for fields of `count` values; several small ones are under way at once.
  void copy_fields(const std::vector<FieldCopy>& fields, std::size_t count, cudaStream_t stream);

 private:
  void make_staging();
  std::unique_ptr<PinnedMemory> staging_;
};

// Asks for large pages of host memory, which are faster to allocate.
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

// Lends a kit for the device of the calling thread; the next run reuses it, unless an exception
// ended this one. Unused kits are never released: the runtime may be gone when a process ends.
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
