// SPDX-License-Identifier: Apache-2.0
// Launches that may begin while the one before them ends: their blocks are on the card by then, and
// wait for its results. Saves about 1 us for each launch of a chain of short ones.
#pragma once

#include <cuda_runtime.h>

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

// kernel<<<blocks, threads, 0, stream>>>(arguments...)
template <class... Parameters, class... Arguments>
void launch_in_turn(void (*kernel)(Parameters...), dim3 blocks, unsigned threads,
                    cudaStream_t stream, bool overlap, const Arguments&... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = overlap ? 1 : 0;
  SLIPFIELD_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace slipfield
