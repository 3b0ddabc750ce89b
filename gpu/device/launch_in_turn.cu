// SPDX-License-Identifier: Apache-2.0
// Launches of kernels whose parameters are known by address only; they have no CPU twin.
#include "gpu/device/launch_in_turn.cuh"

#include "gpu/device/cuda_check.h"

namespace slipfield {

void launch_untyped(const void* kernel, const Launch& how, cudaStream_t stream, void** values) {
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
  SLIPFIELD_CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, values));
}

}  // namespace slipfield
