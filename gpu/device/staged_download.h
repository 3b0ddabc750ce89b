// SPDX-License-Identifier: Apache-2.0
// Large copies to the host, by way of pinned memory in pieces: the next piece is on its way while
// one is put where it belongs. Host compilers may include this.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace slipfield {

class PinnedMemory;

// For one thread at a time.
class StagedDownload {
 public:
  StagedDownload();
  ~StagedDownload();
  StagedDownload(const StagedDownload&) = delete;
  StagedDownload& operator=(const StagedDownload&) = delete;
  StagedDownload(StagedDownload&&) noexcept;
  StagedDownload& operator=(StagedDownload&&) noexcept;

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

}  // namespace slipfield
