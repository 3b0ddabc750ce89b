// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/staged_download.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "gpu/device/cuda_check.h"
#include "gpu/device/cuda_stream.h"

namespace slipfield {

void download_staged(void* host, const void* device, std::size_t bytes, cudaStream_t stream) {
  constexpr std::size_t kPiece = std::size_t{4} << 20U;
  if (bytes < 4 * kPiece || std::getenv("SLIPFIELD_PINNED") == nullptr) {
    SLIPFIELD_CUDA_CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));
    return;
  }
  static PinnedMemory* staging = new PinnedMemory(2 * kPiece);
  std::array<CudaEvent, 2> arrived;
  const auto place = [&](std::size_t k) {
    return static_cast<char*>(staging->get()) + k % 2 * kPiece;
  };
  const std::size_t pieces = (bytes + kPiece - 1) / kPiece;
  const auto size = [&](std::size_t k) { return std::min(kPiece, bytes - k * kPiece); };
  const auto begin = [&](std::size_t k) {
    SLIPFIELD_CUDA_CHECK(cudaMemcpyAsync(place(k), static_cast<const char*>(device) + k * kPiece,
                                         size(k), cudaMemcpyDeviceToHost, stream));
    SLIPFIELD_CUDA_CHECK(cudaEventRecord(arrived[k % 2].get(), stream));
  };
  begin(0);
  for (std::size_t k = 0; k < pieces; ++k) {
    if (k + 1 < pieces) begin(k + 1);
    SLIPFIELD_CUDA_CHECK(cudaEventSynchronize(arrived[k % 2].get()));
    std::memcpy(static_cast<char*>(host) + k * kPiece, place(k), size(k));
  }
}

}  // namespace slipfield
