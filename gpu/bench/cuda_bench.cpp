// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/cuda_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gpu/backend/cuda_backend.h"
#include "gpu/bench/measured.h"
#include "gpu/dense/cuda_dense.h"
#include "gpu/device/device_array.h"

namespace slipfield {

// Scalar products x.y by each reduction. Floor: 16 bytes per element. The error is that of the sum,
// over |x|.|y|.
std::vector<BenchLine> cuda_bench_reduction(const BenchSizes& sizes) {
  const CudaBackend backend;
  cudaStream_t const stream = backend.stream();
  const DeviceCeilings ceilings = measure_ceilings(stream);
  std::vector<int> sides;
  for (const auto& [mx, my] : sizes) sides.push_back(std::max(mx, my));
  if (sides.empty()) sides = {64, 128, 256, 512, 1024, 2048, 4096};
  std::vector<BenchLine> results;
  for (const int side : sides) {
    const std::size_t count = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    std::vector<double> x(count);
    std::vector<double> y(count);
    long double expected = 0.0L;
    long double size = 0.0L;
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = std::sin(0.37 * static_cast<double>(i));
      y[i] = std::cos(0.11 * static_cast<double>(i)) + 0.5;
      const long double product = static_cast<long double>(x[i]) * y[i];
      expected += product;
      size += std::fabs(product);
    }
    const DeviceArray<double> device_x(x);
    const DeviceArray<double> device_y(y);
    DeviceArray<double> workspace(study_reduction_workspace(count));
    workspace.zero(stream);
    DeviceArray<double> sum(1);
    for (int v = 0; v < kStudyReductions; ++v) {
      const auto variant = static_cast<StudyReduction>(v);
      BenchLine result;
      result.name = study_reduction_name(variant);
      result.size = std::to_string(side) + "x" + std::to_string(side);
      result.milliseconds = median_milliseconds(
          [&](cudaStream_t s) {
            study_reduction(variant, device_x.data(), device_y.data(), count, workspace.data(),
                            sum.data(), s);
          },
          stream);
      set_floor(result, ceilings, 16.0 * static_cast<double>(count), 0.0);
      result.error = static_cast<double>(std::fabs((sum.download(stream)[0] - expected) / size));
      results.push_back(result);
    }
  }
  return results;
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
