#include "gpu/cuda_bench.h"

#include <algorithm>

#include "gpu/bench_gauss_seidel.h"
#include "gpu/bench_products.h"
#include "gpu/bench_reductions.h"
#include "gpu/cuda_solver_backend.h"

namespace slipfield {
namespace {

std::vector<BenchLine> lines_of(const std::vector<BenchResult>& results) {
  std::vector<BenchLine> lines;
  for (const BenchResult& r : results) {
    lines.push_back({r.name, std::to_string(r.mx) + "x" + std::to_string(r.my), r.milliseconds,
                     r.gflops, r.gbytes_per_second, r.floor_ms, r.error});
  }
  return lines;
}

}  // namespace

std::vector<BenchLine> cuda_bench_matvec(const BenchSizes& sizes) {
  const CudaBackend backend;
  ProductBenchOptions options;
  if (!sizes.empty()) options.sizes.clear();
  for (const auto& [mx, my] : sizes) options.sizes.push_back({mx, my});
  return lines_of(bench_products(options, backend.stream()));
}

std::vector<BenchLine> cuda_bench_reduction(const BenchSizes& sizes) {
  const CudaBackend backend;
  ReductionBenchOptions options;
  if (!sizes.empty()) options.sizes.clear();
  for (const auto& [mx, my] : sizes) options.sizes.push_back(std::max(mx, my));
  return lines_of(bench_reductions(options, backend.stream()));
}

std::vector<BenchLine> cuda_bench_gauss_seidel(const std::vector<int>& elements) {
  const CudaBackend backend;
  GaussSeidelBenchOptions options;
  if (!elements.empty()) options.sizes = elements;
  std::vector<BenchLine> lines;
  for (const GaussSeidelBench& r : bench_gauss_seidel(options, backend.stream())) {
    lines.push_back({r.name, std::to_string(r.elements) + " elements", r.milliseconds, r.gflops,
                     0.0, r.floor_ms, r.error});
  }
  return lines;
}

}  // namespace slipfield
