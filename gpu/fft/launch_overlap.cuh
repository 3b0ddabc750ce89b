// SPDX-License-Identifier: Apache-2.0
// What lets one kernel of the fused product begin before the one ahead of it has ended.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// The fused product's kernels are made of what compute capability 9.0 brought; in code for older
// cards they are empty, and runs_fused_fft() (gpu/device/device_limits.h) keeps them from starting.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define SLIPFIELD_FUSED_FFT 1
#else
#define SLIPFIELD_FUSED_FFT 0
#endif

#if SLIPFIELD_FUSED_FFT
namespace slipfield {
namespace fft_detail {

__device__ __forceinline__ void wait_for_previous() { cudaGridDependencySynchronize(); }
__device__ __forceinline__ void let_next_start() { cudaTriggerProgrammaticLaunchCompletion(); }

// Starts to bring memory that a later block will read into L2: the load of one block overlaps the
// arithmetic of the one before it where only one or two fit on a multiprocessor.
__device__ __forceinline__ void prefetch_to_l2(const void* from, std::size_t bytes) {
  const std::size_t address = reinterpret_cast<std::size_t>(from) & ~std::size_t{15};
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;"
               :
               : "l"(address), "r"(static_cast<unsigned>(bytes & ~std::size_t{15}))
               : "memory");
}

}  // namespace fft_detail
}  // namespace slipfield

#endif
