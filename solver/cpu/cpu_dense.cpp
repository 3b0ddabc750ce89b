// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_dense.h"

#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

struct Difference {
  int x;
  int y;
};

Difference between(int to, int from, int mx) { return {to % mx - from % mx, to / mx - from / mx}; }

// The threads of Eigen's products wait for each other hundreds of times for each factorization, and
// keep their cores busy while they do. Where other programs use the cores as well, two threads took
// 0.4 s for 1000 rows and one 0.02 s. The size alone decides: sums depend on the number of threads.
int threads_to_factor(Eigen::Index rows) {
  constexpr Eigen::Index kLeastForThreads = 1000;
  return rows < kLeastForThreads ? 1 : 0;
}

}  // namespace

void CpuDense::allocate(Eigen::Index rows) {
  cholesky_.reset();
  lu_.reset();
  matrix_.resize(0, 0);
  require_dense_memory(static_cast<std::size_t>(rows), available_host_bytes());
  matrix_.resize(rows, rows);
}

void CpuDense::factor_normal(CpuInfluence& influence, const std::vector<int>& elements) {
  const InfluenceTable& table = influence.table(Component::nn);
  const auto n = static_cast<Eigen::Index>(elements.size());
  allocate(n);
#pragma omp parallel for schedule(static)
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const Difference d = between(elements[static_cast<std::size_t>(i)],
                                   elements[static_cast<std::size_t>(j)], mx_);
      matrix_(i, j) = *table.at(d.x, d.y);
    }
  }
  const ThreadCount threads(threads_to_factor(n));
  if (!influence.kind().memory.empty()) {  // not symmetric
    lu_.emplace(matrix_);
    return;
  }
  cholesky_.emplace(matrix_);
  if (cholesky_->info() != Eigen::Success)
    throw Error("direct: the influence matrix of the contact is not positive definite");
}

void CpuDense::factor_jacobian(CpuInfluence& influence, const std::vector<int>& elements,
                               const NewtonFields& f) {
  const InfluenceTable& xx = influence.table(Component::xx);
  const InfluenceTable& xy = influence.table(Component::xy);
  const InfluenceTable& yy = influence.table(Component::yy);
  const auto n = static_cast<Eigen::Index>(elements.size());
  const int forces = f.forces();
  allocate(2 * n + forces);
#pragma omp parallel for schedule(static)
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto to = static_cast<std::size_t>(elements[static_cast<std::size_t>(i)]);
      const Difference d =
          between(static_cast<int>(to), elements[static_cast<std::size_t>(j)], mx_);
      const JacobianBlock block =
          jacobian_block(f, to, i == j, *xx.at(d.x, d.y), *xy.at(d.x, d.y), *yy.at(d.x, d.y));
      matrix_(i, j) = block.xx;
      matrix_(i, n + j) = block.xy;
      matrix_(n + i, j) = block.yx;
      matrix_(n + i, n + j) = block.yy;
    }
  }
  for (int k = 0; k < forces; ++k) {
    const bool x = f.force_x_given && k == 0;
    const Eigen::Index row = 2 * n + k;
    matrix_.row(row).setZero();
    matrix_.block(row, x ? 0 : n, 1, n).setConstant(f.scale);
    for (Eigen::Index i = 0; i < n; ++i) {
      const RigidColumn column =
          rigid_column(f, static_cast<std::size_t>(elements[static_cast<std::size_t>(i)]), x);
      matrix_(i, row) = column.x;
      matrix_(n + i, row) = column.y;
    }
  }
  const ThreadCount threads(threads_to_factor(matrix_.rows()));
  lu_.emplace(matrix_);
}

void CpuDense::solve(Eigen::MatrixXd& columns) const {
  const ThreadCount threads(threads_to_factor(columns.rows()));
  if (cholesky_) {
    cholesky_->solveInPlace(columns);
  } else {
    columns = lu_->solve(columns).eval();
  }
}

}  // namespace slipfield
