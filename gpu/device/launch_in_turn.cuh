// SPDX-License-Identifier: Apache-2.0
// Launches that may begin while the previous one ends: their blocks are then already on the card
// and wait for its results. Saves about 1 us per launch in a chain of short ones.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "gpu/device/launch_replay.h"

namespace slipfield {

// The first statement of a kernel launched in turn. Empty in code for cards before compute
// capability 9.0, whose launches do not overlap.
__device__ __forceinline__ void begin_in_turn() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// Prevents deduction: the kernel determines the types of the parameters.
template <class T>
struct Same {
  using Type = T;
};

// kernel<<<blocks, threads, shared_bytes, stream>>>(values...)
template <class... Parameters>
void launch_kernel(void (*kernel)(Parameters...), const Launch& how, cudaStream_t stream,
                   typename Same<Parameters>::Type... values) {
  void* pointers[] = {&values...};
  constexpr std::size_t sizes[] = {sizeof(Parameters)...};
  launch_untyped(reinterpret_cast<const void*>(kernel), how, stream, pointers, sizes,
                 sizeof...(Parameters));
}

// The same for a kernel that starts with begin_in_turn().
template <class... Parameters>
void launch_in_turn(void (*kernel)(Parameters...), dim3 blocks, unsigned threads,
                    cudaStream_t stream, bool overlap,
                    const typename Same<Parameters>::Type&... values) {
  launch_kernel(kernel, {blocks, threads, 0, 1, overlap}, stream, values...);
}

}  // namespace slipfield
