// SPDX-License-Identifier: Apache-2.0
#include "app/bench/lu.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/bench/cpu.h"
#include "solver/influence/influence_table.h"

namespace slipfield {
namespace {

// sum_{k < end} l_ik u_kj, `column`: u's column j, one number after another.
double dot(const double* row, const double* column, Eigen::Index end) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (Eigen::Index k = 0; k < end; ++k) sum += row[k] * column[k];
  return sum;
}

// Iterates the factors of one panel's columns and rows in place; earlier panels are complete.
// Returns the number of sweeps.
int sweep_panel(RowMajorMatrix& f, Eigen::Index first, Eigen::Index width, double tolerance,
                int most) {
  const Eigen::Index rows = f.rows() - first;
  // Columns for L, and rows for U (stored as columns), with the earlier panels subtracted.
  RowMajorMatrix left = f.block(first, first, rows, width);
  RowMajorMatrix above = f.block(first, first, width, rows).transpose();
  left.noalias() -= f.block(first, 0, rows, first) * f.block(0, first, first, width);
  above.noalias() -=
      f.block(0, first, first, rows).transpose() * f.block(first, 0, width, first).transpose();
  RowMajorMatrix l = left;
  RowMajorMatrix u = above;
  for (Eigen::Index j = 0; j < rows; ++j) {
    for (Eigen::Index k = 0; k < std::min(j, width); ++k) u(j, k) /= left(k, k);
  }
  int sweeps = 0;
  double change = 0.0;
  do {
    const RowMajorMatrix old_l = l;
    const RowMajorMatrix old_u = u;
    double change2 = 0.0;
    double whole2 = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : change2, whole2)
    for (Eigen::Index i = 0; i < rows; ++i) {
      for (Eigen::Index k = 0; k < width; ++k) {
        if (k <= i) l(i, k) = left(i, k) - dot(&old_l(i, 0), &old_u(k, 0), k);
        if (k < i) u(i, k) = (above(i, k) - dot(&old_l(k, 0), &old_u(i, 0), k)) / old_l(k, k);
        const double dl = k <= i ? l(i, k) - old_l(i, k) : 0.0;
        const double du = k < i ? u(i, k) - old_u(i, k) : 0.0;
        change2 += dl * dl + du * du;
        whole2 += l(i, k) * l(i, k) + u(i, k) * u(i, k);
      }
    }
    change = std::sqrt(change2 / whole2);
    ++sweeps;
  } while (sweeps < most && std::isfinite(change) && change > tolerance);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index k = 0; k < width; ++k) {
      if (k <= i) f(first + i, first + k) = l(i, k);
      if (k < i) f(first + k, first + i) = u(i, k);
    }
  }
  return sweeps;
}

}  // namespace

RowMajorMatrix crout(const RowMajorMatrix& a) {
  const Eigen::Index n = a.rows();
  RowMajorMatrix f = a;
  RowMajorMatrix columns(n, n);  // U transposed
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j; i < n; ++i) f(i, j) -= dot(&f(i, 0), &columns(j, 0), j);
    const double inverse = 1.0 / f(j, j);
    for (Eigen::Index k = j + 1; k < n; ++k) {
      f(j, k) = (f(j, k) - dot(&f(j, 0), &columns(k, 0), j)) * inverse;
      columns(k, j) = f(j, k);
    }
  }
  return f;
}

FixedPointFactors crout_fixed_point(const RowMajorMatrix& a, int panel, double tolerance,
                                    int most) {
  FixedPointFactors result;
  result.factors = a;
  for (Eigen::Index first = 0; first < a.rows(); first += panel) {
    const Eigen::Index width = std::min<Eigen::Index>(panel, a.rows() - first);
    result.sweeps =
        std::max(result.sweeps, sweep_panel(result.factors, first, width, tolerance, most));
  }
  return result;
}

double crout_error(const RowMajorMatrix& a, const RowMajorMatrix& factors) {
  const RowMajorMatrix product = factors.triangularView<Eigen::Lower>() *
                                 RowMajorMatrix(factors.triangularView<Eigen::UnitUpper>());
  return (a - product).norm() / a.norm();
}

RowMajorMatrix contact_matrix(int n) {
  const int mx = static_cast<int>(std::ceil(std::sqrt(n)));
  const Grid grid{mx, (n + mx - 1) / mx, 1.0, 1.0, 0.0, 0.0};
  const InfluenceTable table = influence_table(Component::nn, grid, {1.0, 0.28, 0.0});
  RowMajorMatrix a(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a(i, j) = *table.at(i % mx - j % mx, i / mx - j / mx);
  }
  return a;
}

namespace {

constexpr int kCroutLimit = 2048;  // rows; above, Crout alone takes many seconds
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
