// SPDX-License-Identifier: Apache-2.0
// Launches an element operation on the device. Host compilers may include this: the template's body
// is in gpu/device/element_launch.cuh, its instances are in gpu/device/element_instances.cu.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "solver/fields/krylov_length.h"

namespace slipfield {

inline constexpr int kElementMaxSums = 10;
// The most sums that a card passes to the others at a time: those of an element operation, or the
// newest column of a Krylov basis.
inline constexpr int kCardSums = kKrylovRestart + 1;
static_assert(kCardSums >= kElementMaxSums);
// 8 blocks of 256 threads on each of an H200's 132 multiprocessors. Equal on every card, so that
// the order of the sums, and thus their bits, are equal as well.
inline constexpr int kElementMaxBlocks = 1056;

// Doubles of device memory. Zero them once before the first launch; every launch leaves them ready
// for the next. Each stream needs its own workspace.
constexpr std::size_t element_workspace_size() {
  return 2 + static_cast<std::size_t>(kElementMaxSums) * kElementMaxBlocks;
}

// The memory in which a launch adds.
struct ElementSums {
  double* workspace = nullptr;  // element_workspace_size() doubles in device memory
  double* of_card = nullptr;    // receives the sums instead of op.finish(sums)
};

// Calls op.element(i, sums) for all i < n, then op.finish(sums) once, in one asynchronous launch.
// overlap: the launch may begin while the previous one ends, if the card supports it
// (runs_fused_fft() of device_limits.h).
template <class Op>
void launch_element_op(const Op& op, std::size_t n, const ElementSums& memory, cudaStream_t stream,
                       bool overlap = false);

// Adds the sums of `cards` cards, which are kCardSums apart, in the order of the cards, and calls
// op.finish(). Only for operations with sums.
template <class Op>
void launch_element_finish(const Op& op, const double* sums, int cards, cudaStream_t stream,
                           bool overlap = false);

}  // namespace slipfield
