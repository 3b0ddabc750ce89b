// SPDX-License-Identifier: Apache-2.0
// Dimensions and attributes of a launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace slipfield {

struct Launch {
  dim3 blocks;
  unsigned threads = 0;
  std::size_t shared_bytes = 0;
  unsigned cluster = 1;  // blocks of a cluster
  bool overlap = false;  // may begin while the launch before it ends
};

// values: the address of each of the kernel's parameters, `count` of `sizes` bytes. Held back where the thread
// holds launches (gpu/device/launch_replay.h).
void launch_untyped(const void* kernel, const Launch& how, cudaStream_t stream, void** values,
                    const std::size_t* sizes, std::size_t count);

}  // namespace slipfield
