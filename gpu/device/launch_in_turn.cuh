// SPDX-License-Identifier: Apache-2.0
// Launches that may begin while the one before them ends: their blocks are on the card by then, and
// wait for its results. Saves about 1 us for each launch of a chain of short ones.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "gpu/device/cuda_check.h"

namespace slipfield {

// What a kernel launched in turn begins with. In code for cards before compute capability 9.0 it is
// empty, and launches there do not overlap.
__device__ __forceinline__ void begin_in_turn() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// How a kernel is launched.
struct Launch {
  dim3 blocks;
  unsigned threads = 0;
  std::size_t shared_bytes = 0;
  unsigned cluster = 1;  // blocks of a cluster
  bool overlap = false;  // may begin while the launch before it ends
};

// kernel<<<blocks, threads, shared_bytes, stream>>>(arguments...)
template <class... Parameters, class... Arguments>
void launch_kernel(void (*kernel)(Parameters...), const Launch& how, cudaStream_t stream,
                   const Arguments&... arguments) {
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (how.cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count].val.clusterDim.x = how.cluster;
    attributes[count].val.clusterDim.y = 1;
    attributes[count++].val.clusterDim.z = 1;
  }
  if (how.overlap) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = how.blocks;
  config.blockDim = dim3(how.threads);
  config.dynamicSmemBytes = how.shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  SLIPFIELD_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

// The same of a kernel that begins with begin_in_turn().
template <class... Parameters, class... Arguments>
void launch_in_turn(void (*kernel)(Parameters...), dim3 blocks, unsigned threads,
                    cudaStream_t stream, bool overlap, const Arguments&... arguments) {
  launch_kernel(kernel, {blocks, threads, 0, 1, overlap}, stream, arguments...);
}

}  // namespace slipfield
