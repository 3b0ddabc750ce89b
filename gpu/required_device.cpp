// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "gpu/cuda_device.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"

namespace slipfield {

const CudaDevice& require_cuda_device(const CudaStatus& status, int device) {
  if (status.devices.empty()) throw Error("backend cuda: no GPU answers: " + status.reason);
  if (device < 0 || static_cast<std::size_t>(device) >= status.devices.size()) {
    throw InputError("backend cuda: there is no GPU " + std::to_string(device) +
                     "; this machine shows " + std::to_string(status.devices.size()) +
                     ", numbered from 0");
  }
  const CudaDevice& card = status.devices[static_cast<std::size_t>(device)];
  if (!card.unusable.empty()) throw Error("backend cuda: " + card.unusable);
  return card;
}

int krylov_chunks_on(const std::vector<int>& devices, const ContactProblem& problem) {
  const CudaStatus status = cuda_status();
  const auto several = static_cast<int>(devices.size());
  int chunks = kMostKrylovChunks;
  for (const int device : devices) {
    const auto cards = static_cast<std::size_t>(std::count(devices.begin(), devices.end(), device));
    const std::size_t usable = usable_bytes(require_cuda_device(status, device).memory_bytes);
    const auto bytes_of = [&](int krylov_chunks) {
      return several == 1 ? cuda_bytes(problem, krylov_chunks)
                          : cards * cards_bytes(problem, several, krylov_chunks);
    };
    chunks = std::min(chunks, krylov_chunks_for(usable, bytes_of));
  }
  return chunks;
}

}  // namespace slipfield
