// SPDX-License-Identifier: Apache-2.0
#include "app/bench/cpu.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>

#include "solver/cpu/cpu_backend.h"

namespace slipfield {
namespace {

constexpr std::size_t kSummationLimit = 1U << 16;  // elements; direct summation costs their square

}  // namespace

double median_milliseconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int kSamples = 7;
  constexpr double kBudget = 2000.0;
  work();
  std::vector<double> samples;
  double spent = 0.0;
  while (samples.size() < kSamples && spent < kBudget) {
    const auto begin = Clock::now();
    work();
    samples.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    spent += samples.back();
  }
  std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
  return samples[samples.size() / 2];
}

double measure_flops_per_second() {
  static constexpr int kLanes = 96;
  static constexpr int kRounds = 1 << 18;
  double sink = 0.0;
  const double milliseconds = median_milliseconds([&sink] {
    double sum = 0.0;
#pragma omp parallel reduction(+ : sum)
    {
      double value[kLanes];
      std::fill_n(value, kLanes, 1.0 + 1.0e-9 * omp_get_thread_num());
      for (int round = 0; round < kRounds; ++round) {
#pragma omp simd
        for (int k = 0; k < kLanes; ++k) {  // NOLINT(modernize-loop-convert): OpenMP's form
          value[k] = value[k] * 0.999999 + 1.0e-6;
        }
      }
      for (const double v : value) sum += v;
    }
    sink += sum;
  });
  const double flops = 2.0 * kLanes * kRounds * omp_get_max_threads();
  return (sink > 0.0 ? flops : 0.0) / (1.0e-3 * milliseconds);
}

namespace {

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += a[i] * a[i];
  }
  return size > 0.0 ? std::sqrt(difference / size) : 0.0;
}

class ProductBench {
 public:
  ProductBench(int mx, int my, double flops_per_second)
      : grid_{mx, my, 1.0, 1.1, 0.0, 0.0},
        size_(std::to_string(mx) + "x" + std::to_string(my)),
        flops_per_second_(flops_per_second),
        fft_(backend_, grid_, material(), InfluenceMethod::fft),
        summation_(backend_, grid_, material(), InfluenceMethod::summation),
        p_x_(random_tractions(1)),
        p_y_(random_tractions(2)) {}

  void add_lines(std::vector<BenchLine>& lines) {
    for (const Block block : {Block::normal, Block::tangential}) {
      const double terms = block == Block::normal ? 1.0 : 4.0;
      const double fields = block == Block::normal ? 1.0 : 2.0;
      const std::string name = block == Block::normal ? "normal" : "tangential";
      const auto count = static_cast<double>(grid_.count());
      const double points =
          static_cast<double>(fft_.convolution().transform_x()) * fft_.convolution().transform_y();
      const std::vector<double> by_fft = add_line(lines, "cpu fft, " + name, fft_, block,
                                                  5.0 * fields * points * std::log2(points));
      if (grid_.count() > kSummationLimit) continue;
      const std::vector<double> by_sum =
          add_line(lines, "cpu direct, " + name, summation_, block, 2.0 * terms * count * count);
      lines[lines.size() - 2].error = relative_difference(by_sum, by_fft);
    }
  }

 private:
  static CombinedMaterial material() { return {1.0, 0.28, 0.0}; }

  [[nodiscard]] std::vector<double> random_tractions(unsigned seed) const {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    std::vector<double> tractions(grid_.count());
    for (double& p : tractions) p = value(random);
    return tractions;
  }

  std::vector<double> add_line(std::vector<BenchLine>& lines, const std::string& name,
                               CpuInfluence& influence, Block block, double flops) {
    std::vector<double> u_x(grid_.count());
    std::vector<double> u_y(grid_.count());
    const bool normal = block == Block::normal;
    const TractionField traction{p_x_.data(), p_y_.data(), p_x_.data()};
    const DisplacementField displacement{normal ? nullptr : u_x.data(), u_y.data(),
                                         normal ? u_x.data() : nullptr};
    BenchLine line;
    line.name = name;
    line.size = size_;
    line.milliseconds =
        median_milliseconds([&] { influence.apply(block, traction, displacement); });
    line.gflops = 1.0e-6 * flops / line.milliseconds;
    line.floor_ms = 1.0e3 * flops / flops_per_second_;
    lines.push_back(line);
    return u_x;
  }

  Grid grid_;
  std::string size_;
  double flops_per_second_;
  CpuBackend backend_;
  CpuInfluence fft_, summation_;
  std::vector<double> p_x_, p_y_;
};

}  // namespace

std::vector<BenchLine> cpu_bench_matvec(const BenchSizes& sizes) {
  const BenchSizes defaults = {{64, 64}, {128, 128}, {256, 256}, {512, 512}, {1024, 1024}};
  const double flops_per_second = measure_flops_per_second();
  std::vector<BenchLine> lines;
  for (const auto& [mx, my] : sizes.empty() ? defaults : sizes) {
    ProductBench(mx, my, flops_per_second).add_lines(lines);
  }
  return lines;
}

}  // namespace slipfield
