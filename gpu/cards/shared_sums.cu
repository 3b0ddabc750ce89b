// SPDX-License-Identifier: Apache-2.0
// The operations with sums of the solvers that run on several cards, instantiated for them.
#include "gpu/cards/shared_sums.h"

#include "gpu/device/element_launch.cuh"
#include "gpu/device/element_ops.h"

namespace slipfield {

#define SLIPFIELD_INSTANTIATE(Op)                                                                  \
  template void launch_element_op<CardSums<Op>>(const CardSums<Op>&, std::size_t, double*,         \
                                                cudaStream_t, bool);                               \
  template void launch_element_op<AllCardsSums<Op>>(const AllCardsSums<Op>&, std::size_t, double*, \
                                                    cudaStream_t, bool);

SLIPFIELD_OPS_WITH_SUMS(SLIPFIELD_INSTANTIATE)

#undef SLIPFIELD_INSTANTIATE

}  // namespace slipfield
