// SPDX-License-Identifier: Apache-2.0
// Scalar products, each way of reducing timed and compared: for `slipfield bench`.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "gpu/bench/timing.h"

namespace slipfield {

struct ReductionBenchOptions {
  std::vector<int> sizes = {64, 128, 256, 512, 1024, 2048, 4096};  // of square grids
  int samples = 25;
};

// x.y over size^2 elements. Floor: 16 bytes per element. The error is that of the one number, over
// |x|.|y|.
std::vector<BenchResult> bench_reductions(const ReductionBenchOptions& options,
                                          cudaStream_t stream);

}  // namespace slipfield
