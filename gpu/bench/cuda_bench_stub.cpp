// SPDX-License-Identifier: Apache-2.0
// Replaces the measurements on the GPU in builds without the CUDA toolkit.
#include "gpu/bench/cuda_bench.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr const char* kReason = "this program was built without the CUDA toolkit";

}  // namespace

std::vector<BenchLine> cuda_bench_matvec(const BenchSizes& /*sizes*/) { throw Error(kReason); }

std::vector<BenchLine> cuda_bench_reduction(const BenchSizes& /*sizes*/) { throw Error(kReason); }

std::vector<BenchLine> cuda_bench_gauss_seidel(const std::vector<int>& /*sizes*/) {
  throw Error(kReason);
}

double cuda_bench_to_host(std::size_t /*count*/) { throw Error(kReason); }

CudaFactors cuda_bench_factorise(const std::vector<double>& /*matrix*/, int /*rows*/,
                                 Factorisation /*kind*/) {
  throw Error(kReason);
}

}  // namespace slipfield
