// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/cuda_bench.h"

#include <algorithm>
#include <chrono>

#include "gpu/backend/cuda_backend.h"
#include "gpu/bench/measured.h"
#include "gpu/bench/timing.h"
#include "gpu/dense/cusolver.h"
#include "gpu/device/cuda_stream.h"
#include "gpu/device/device_array.h"

namespace slipfield {
namespace {

std::vector<BenchLine> lines_of(const std::vector<BenchResult>& results) {
  std::vector<BenchLine> lines;
  for (const BenchResult& r : results) {
    lines.push_back({.name = r.name,
                     .size = std::to_string(r.mx) + "x" + std::to_string(r.my),
                     .milliseconds = r.milliseconds,
                     .gflops = r.gflops,
                     .gbytes_per_second = r.gbytes_per_second,
                     .floor_ms = r.floor_ms,
                     .error = r.error});
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
    lines.push_back({.name = r.name,
                     .size = std::to_string(r.elements) + " elements",
                     .milliseconds = r.milliseconds,
                     .gflops = r.gflops,
                     .floor_ms = r.floor_ms,
                     .error = r.error});
  }
  return lines;
}

CudaFactors cuda_bench_factorise(const std::vector<double>& matrix, int rows, Factorisation kind) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRuns = 5;
  const CudaBackend backend;
  CusolverFactors solver(backend.stream());
  double* const place = solver.allocate(rows);
  const DeviceArray<double> original(matrix);
  std::vector<double> samples;
  for (int run = 0; run <= kRuns; ++run) {
    SLIPFIELD_CUDA_CHECK(cudaMemcpyAsync(place, original.data(), original.bytes(),
                                         cudaMemcpyDeviceToDevice, backend.stream()));
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(backend.stream()));
    const auto begin = Clock::now();
    if (kind == Factorisation::lu) {
      solver.lu();  // reads its status, and so waits for the device
    } else {
      solver.cholesky();
    }
    const double milliseconds =
        std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    if (run > 0) samples.push_back(milliseconds);
  }
  std::nth_element(samples.begin(), samples.begin() + kRuns / 2, samples.end());
  CudaFactors result;
  result.milliseconds = samples[kRuns / 2];
  result.flops_per_second = measure_ceilings(backend.stream()).flops_per_second;
  result.factors = solver.download();
  if (kind == Factorisation::lu) result.pivots = solver.download_pivots();
  return result;
}

double cuda_bench_to_host(std::size_t count) {
  const CudaStream stream;
  const std::size_t bytes = count * sizeof(double);
  const DeviceArray<double> from(count);
  const PinnedMemory to(bytes);
  return median_milliseconds(
      [&](cudaStream_t own) {
        SLIPFIELD_CUDA_CHECK(
            cudaMemcpyAsync(to.get(), from.data(), bytes, cudaMemcpyDeviceToHost, own));
      },
      stream.get());
}

}  // namespace slipfield
