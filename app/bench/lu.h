// SPDX-License-Identifier: Apache-2.0
// `slipfield bench lu`: ways to factorise the influence matrix of a contact.
#pragma once

#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

// Crout's LU one entry after another and as a fixed point in panels, Eigen's LU and Cholesky, and
// with `gpu` cuSOLVER's, each with ||A - LU||/||A||. Floor: 2/3 n^3 flops (Cholesky half of them)
// over the multiply-add rate measured.
std::vector<BenchLine> bench_lu(const std::vector<int>& sizes, bool gpu);

}  // namespace slipfield
