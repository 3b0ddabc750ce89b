// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/bench/cpu.h"
#include "app/bench/kinds.h"
#include "app/failure.h"
#include "gpu/cuda_device.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/interior/cpu_interior_planes.h"

namespace slipfield {
namespace {

ContactSolution random_loads(const Grid& grid) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  ContactSolution solution;
  for (auto* field : {&solution.pressure, &solution.traction_x, &solution.traction_y}) {
    field->resize(grid.count());
    for (double& value : *field) value = uniform(random);
  }
  return solution;
}

// Forms all depths and makes each component readable by the caller.
void form_planes(InteriorPlanes& planes, const std::vector<double>& depths) {
  for (const double depth : depths) {
    throw_if_interrupted();
    planes.compute(depth);
    for (int c = 0; c < kStressComponents; ++c) static_cast<void>(planes.component(c));
  }
}

// Operations for one depth: transforms of the tractions, of a table for each load and component,
// and of each component back.
double transform_flops(const Grid& grid) {
  const TransformSizes size = transform_sizes(grid);
  const double n = static_cast<double>(size.x) * size.y;
  const int transforms = kLoads + kStressComponents * (kLoads + 1);
  return transforms * 2.5 * n * std::log2(n);  // of real numbers: half of 5 n log2 n
}

double difference_of_planes(InteriorPlanes& one, InteriorPlanes& other) {
  double difference = 0.0;
  double greatest = 0.0;
  for (int c = 0; c < kStressComponents; ++c) {
    const std::vector<double>& a = one.component(c);
    const std::vector<double>& b = other.component(c);
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference = std::max(difference, std::fabs(a[i] - b[i]));
      greatest = std::max(greatest, std::fabs(a[i]));
    }
  }
  return difference / greatest;
}

}  // namespace

BenchOutcome bench_interior(const BenchArguments& arguments, bool /*silent*/) {
  std::vector<BenchLine> lines;
  const BenchSizes sizes = sizes_of(arguments, {{256, 256}});
  const bool cpu = measures_cpu(arguments);
  const bool gpu = gpu_answers(arguments);
  const double flops_per_second = cpu ? measure_flops_per_second() : 0.0;
  for (const auto& size : sizes) {
    const int mx = size[0];
    const int my = size[1];
    const Grid grid{mx, my, 1.0, 1.1, 0.0, 0.0};
    const ContactSolution solution = random_loads(grid);
    const InteriorTask task{grid, {1.0, 0.3}, Body::upper, InteriorNeed::stress, {0, 0, mx, my}};
    const std::vector<double> depths = linear_depths(0.0, 0.5 * mx, arguments.depths);
    const std::size_t values = grid.count() * kStressComponents * depths.size();
    const auto line_of = [&](const char* backend, InteriorPlanes& planes) {
      BenchLine line;
      line.name = fmt::format("stress at {} depths, {}", depths.size(), backend);
      line.size = fmt::format("{}x{}", mx, my);
      line.milliseconds = median_milliseconds([&] { form_planes(planes, depths); });
      line.gbytes_per_second = 1.0e-6 * sizeof(double) * values / line.milliseconds;
      return line;
    };
    CpuInteriorPlanes reference(task, solution);
    if (cpu) {
      lines.push_back(line_of("cpu", reference));
      lines.back().floor_ms = 1.0e3 * transform_flops(grid) * depths.size() / flops_per_second;
    }
    if (!gpu) continue;
    const auto planes = make_cuda_interior_planes(task, solution);
    lines.push_back(line_of("cuda", *planes));
    lines.back().floor_ms =
        cuda_bench_to_host(grid.count() * kStressComponents) * static_cast<double>(depths.size());
    reference.compute(depths.back());
    lines.back().error = difference_of_planes(reference, *planes);
  }
  return outcome_of(lines);
}

}  // namespace slipfield
