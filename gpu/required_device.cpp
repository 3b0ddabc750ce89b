// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "gpu/cuda_device.h"
#include "solver/error.h"

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

}  // namespace slipfield
