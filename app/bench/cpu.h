// SPDX-License-Identifier: Apache-2.0
// Measurements of the CPU reference, for `slipfield bench`.
#pragma once

#include <functional>
#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

// Median of up to seven runs after a warm-up; fewer if they take long.
double median_milliseconds(const std::function<void()>& work);

// Multiply-adds per second of all threads on numbers held in registers; each counts two flops.
double measure_flops_per_second();

// Times the products of the normal and of the tangential block with dense random tractions, direct
// and by FFT. The floor is the flops (2 per coefficient; 5 n log2 n per transform of n) over the
// multiply-add rate measured on the same threads.
std::vector<BenchLine> cpu_bench_matvec(const BenchSizes& sizes);

}  // namespace slipfield
