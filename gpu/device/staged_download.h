// SPDX-License-Identifier: Apache-2.0
// Large copies to the host by way of pinned memory, piece by piece: one piece is on its way while the
// one before is put where it belongs. Memory that is not pinned is copied to at a fifth of the bus.
#pragma once

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace slipfield {

// Waits for the stream.
void download_staged(void* host, const void* device, std::size_t bytes, cudaStream_t stream);

template <class T>
std::vector<T> host_vector(std::size_t count) {
  std::vector<T> host;
  const std::size_t bytes = count * sizeof(T);
  if (std::getenv("SLIPFIELD_HUGE") != nullptr && bytes >= (std::size_t{16} << 20U)) {
    host.reserve(count);
    constexpr std::uintptr_t kHuge = std::uintptr_t{2} << 20U;
    const auto begin = (reinterpret_cast<std::uintptr_t>(host.data()) + kHuge - 1) / kHuge * kHuge;
    const auto end = (reinterpret_cast<std::uintptr_t>(host.data()) + bytes) / kHuge * kHuge;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
  host.resize(count);
  return host;
}

}  // namespace slipfield
