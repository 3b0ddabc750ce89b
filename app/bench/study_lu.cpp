// SPDX-License-Identifier: Apache-2.0
#include "app/bench/study_lu.h"

#include <algorithm>
#include <cmath>

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

// Factors of the columns and rows of one panel, in place; those before it are done. Returns the
// sweeps.
int sweep_panel(RowMajorMatrix& f, Eigen::Index first, Eigen::Index width, double tolerance,
                int most) {
  const Eigen::Index rows = f.rows() - first;
  // What the panels before leave of L's columns, and of U's rows as columns.
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

}  // namespace slipfield
