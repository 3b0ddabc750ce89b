// SPDX-License-Identifier: Apache-2.0
#include "app/bench/lu.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <utility>

#include "app/bench/cpu.h"
#include "app/bench/study_lu.h"

namespace slipfield {
namespace {

constexpr int kCroutLimit = 2048;  // rows; beyond them Crout alone takes many seconds
constexpr int kPanel = 32;
constexpr double kFixedPointTolerance = 1.0e-15;

class LuBench {
 public:
  LuBench(int rows, double flops_per_second, std::vector<BenchLine>& lines)
      : a_(contact_matrix(rows)), flops_per_second_(flops_per_second), lines_(lines) {}

  void on_cpu() {
    const auto rows = static_cast<int>(a_.rows());
    if (rows <= kCroutLimit) {
      RowMajorMatrix factors;
      const double one_by_one = median_milliseconds([&] { factors = crout(a_); });
      add("cpu Crout, one after another", one_by_one, 2.0, crout_error(a_, factors));
      FixedPointFactors fixed;
      const double fixed_point = median_milliseconds(
          [&] { fixed = crout_fixed_point(a_, kPanel, kFixedPointTolerance, 2 * kPanel + 1); });
      add(fmt::format("cpu Crout, fixed point, {} sweeps", fixed.sweeps), fixed_point, 2.0,
          crout_error(a_, fixed.factors));
    }
    const Eigen::MatrixXd matrix = a_;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    const double eigen = median_milliseconds([&] { lu.compute(matrix); });
    add("cpu Eigen LU", eigen, 2.0, error_of(lu.reconstructedMatrix()));
    Eigen::LLT<Eigen::MatrixXd> cholesky;
    const double llt = median_milliseconds([&] { cholesky.compute(matrix); });
    add("cpu Eigen Cholesky", llt, 1.0, error_of(cholesky.reconstructedMatrix()));
  }

  void on_gpu() {
    const std::vector<double> values(a_.data(), a_.data() + a_.size());  // symmetric
    const auto rows = static_cast<int>(a_.rows());
    const CudaFactors lu = cuda_bench_factorise(values, rows, Factorisation::lu);
    flops_per_second_ = lu.flops_per_second;
    const Eigen::Map<const Eigen::MatrixXd> f(lu.factors.data(), a_.rows(), a_.cols());
    Eigen::MatrixXd product = f.triangularView<Eigen::Upper>();
    product = f.triangularView<Eigen::UnitLower>() * product;
    for (Eigen::Index k = a_.rows() - 1; k >= 0; --k)
      product.row(k).swap(product.row(lu.pivots[static_cast<std::size_t>(k)] - 1));
    add("gpu cuSOLVER LU", lu.milliseconds, 2.0, error_of(product));
    const CudaFactors llt = cuda_bench_factorise(values, rows, Factorisation::cholesky);
    const Eigen::Map<const Eigen::MatrixXd> l(llt.factors.data(), a_.rows(), a_.cols());
    product = Eigen::MatrixXd(l.triangularView<Eigen::Lower>()).transpose();
    product = l.triangularView<Eigen::Lower>() * product;
    add("gpu cuSOLVER Cholesky", llt.milliseconds, 1.0, error_of(product));
  }

 private:
  [[nodiscard]] double error_of(const Eigen::MatrixXd& product) const {
    return (product - Eigen::MatrixXd(a_)).norm() / a_.norm();
  }

  // thirds: of n^3 flops.
  void add(std::string name, double milliseconds, double thirds, double error) {
    const auto n = static_cast<double>(a_.rows());
    const double flops = thirds / 3.0 * n * n * n;
    BenchLine line;
    line.name = std::move(name);
    line.size = fmt::format("{} elements", a_.rows());
    line.milliseconds = milliseconds;
    line.gflops = 1.0e-6 * flops / milliseconds;
    line.floor_ms = 1.0e3 * flops / flops_per_second_;
    line.error = error;
    lines_.push_back(line);
  }

  RowMajorMatrix a_;
  double flops_per_second_;
  std::vector<BenchLine>& lines_;
};

}  // namespace

std::vector<BenchLine> bench_lu(const std::vector<int>& sizes, bool gpu) {
  const std::vector<int> defaults{256, 512, 1024, 2048, 4096};
  const double flops_per_second = measure_flops_per_second();
  std::vector<BenchLine> lines;
  for (const int rows : sizes.empty() ? defaults : sizes) {
    LuBench bench(rows, flops_per_second, lines);
    bench.on_cpu();
    if (gpu) bench.on_gpu();
  }
  return lines;
}

}  // namespace slipfield
