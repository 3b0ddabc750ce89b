// SPDX-License-Identifier: Apache-2.0
// Every element operation of the solvers, instantiated for the device. Mirrors CpuBackend::run of
// solver/cpu/cpu_backend.h.
#include "gpu/device/element_launch.cuh"
#include "gpu/device/element_ops.h"

namespace slipfield {

#define SLIPFIELD_INSTANTIATE(Op) \
  template void launch_element_op<Op>(const Op&, std::size_t, double*, cudaStream_t, bool);

SLIPFIELD_OPS_WITH_SUMS(SLIPFIELD_INSTANTIATE)
SLIPFIELD_OPS_WITHOUT_SUMS(SLIPFIELD_INSTANTIATE)

#undef SLIPFIELD_INSTANTIATE

}  // namespace slipfield
