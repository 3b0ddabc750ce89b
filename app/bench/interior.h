// SPDX-License-Identifier: Apache-2.0
// `slipfield bench interior`: planes inside a body, depth by depth.
#pragma once

#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

struct InteriorBenchOptions {
  BenchSizes sizes;  // empty: 256x256
  int depths = 32;
  bool cpu = true;
  bool gpu = false;
};

// The whole stress tensor and its measures at all depths, in one body, under random tractions in
// all directions. GB/s: of the tensor's bytes. Floor: on the CPU the transforms' flops (5 n log2 n)
// over the multiply-add rate; on the GPU the tensor's bytes over the rate at which the card gives
// them to the host. Error of the GPU: its greatest difference from the CPU at the last depth over
// the greatest stress.
std::vector<BenchLine> bench_interior(const InteriorBenchOptions& options);

}  // namespace slipfield
