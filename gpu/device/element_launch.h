// SPDX-License-Identifier: Apache-2.0
// Launches an element operation on the device. Host compilers may include this: the template's body
// is in gpu/device/element_launch.cuh, its instances in gpu/device/element_instances.cu.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace slipfield {

inline constexpr int kElementMaxSums = 10;
// 8 blocks of 256 threads on each of an H200's 132 multiprocessors. The same on every card, so that
// the order of the sums, and with it their bits, is too.
inline constexpr int kElementMaxBlocks = 1056;

// Doubles of device memory. Zero them once, before the first launch; every launch leaves them
// ready for the next. One workspace serves one stream.
constexpr std::size_t element_workspace_size() {
  return 2 + static_cast<std::size_t>(kElementMaxSums) * kElementMaxBlocks;
}

// op.element(i, sums) for all i < n, then op.finish(sums) once; one launch, asynchronous.
// `workspace`: element_workspace_size() doubles in device memory. overlap: the launch may begin
// while the one before it ends, where the card can (runs_fused_fft() of device_limits.h).
template <class Op>
void launch_element_op(const Op& op, std::size_t n, double* workspace, cudaStream_t stream,
                       bool overlap = false);

}  // namespace slipfield
