// Measurements of the CPU reference, for `slipfield bench`.
#pragma once

#include <vector>

#include "gpu/cuda_bench.h"

namespace slipfield {

// Products of the normal and the tangential block with dense random tractions, direct and by FFT.
// The floor is the flops (2 per coefficient; 5 n log2 n per transform of n) over the multiply-add
// rate measured on these threads.
std::vector<BenchLine> cpu_bench_matvec(const BenchSizes& sizes);

}  // namespace slipfield
