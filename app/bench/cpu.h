// SPDX-License-Identifier: Apache-2.0
// Measurements of the CPU reference, for `slipfield bench`.
#pragma once

#include <functional>
#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

// Median of up to seven runs after a warm-up, fewer where they take long.
double median_milliseconds(const std::function<void()>& work);

// Multiply-adds per second of all threads, on numbers that stay in the registers; two flops each.
double measure_flops_per_second();

// Products of the normal and the tangential block with dense random tractions, direct and by FFT.
// The floor is the flops (2 per coefficient; 5 n log2 n per transform of n) over the multiply-add
// rate measured on these threads.
std::vector<BenchLine> cpu_bench_matvec(const BenchSizes& sizes);

}  // namespace slipfield
