// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/measured.h"

#include <cmath>

#include "gpu/bench/studies.h"
#include "gpu/device/device_array.h"

namespace slipfield {

std::vector<BenchResult> bench_reductions(const ReductionBenchOptions& options,
                                          cudaStream_t stream) {
  const DeviceCeilings ceilings = measure_ceilings(stream);
  std::vector<BenchResult> results;
  for (const int side : options.sizes) {
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
      BenchResult result;
      result.name = study_reduction_name(variant);
      result.mx = result.my = side;
      result.milliseconds = median_milliseconds(
          [&](cudaStream_t s) {
            study_reduction(variant, device_x.data(), device_y.data(), count, workspace.data(),
                            sum.data(), s);
          },
          stream, options.samples);
      set_floor(result, ceilings, 16.0 * static_cast<double>(count), 0.0);
      result.error = static_cast<double>(std::fabs((sum.download(stream)[0] - expected) / size));
      results.push_back(result);
    }
  }
  return results;
}

}  // namespace slipfield
