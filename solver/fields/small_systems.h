// SPDX-License-Identifier: Apache-2.0
// Systems of a few unknowns that the host solves for iterations on any backend: the weights of
// rounds that are mixed, and the triangle of GMRES. They know nothing of the backend, so they are
// compiled once, not with the solvers of each.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Jacobi>
#include <array>
#include <vector>

#include "solver/fields/fixed_point_ops.h"
#include "solver/fields/krylov_ops.h"

namespace slipfield {

// Products of the kept changes with one another, [k][l]; symmetric.
template <int most>
using ChangeProducts =
    std::array<std::array<double, static_cast<std::size_t>(most)>, static_cast<std::size_t>(most)>;

// part: the combination of the first `count` changes that is nearest to a vector, in the sense of
// least squares, from its products with them; what rounding leaves of directions that others have
// already is left out.
void nearest_combination(const ChangeProducts<MixedRounds::kMost>& gram,
                         const MixingProducts& products, int count, double* part);

// The weights, of sum 1, with which changes nearly cancel. products: the lower triangle of a
// `count` x `count` matrix, [i * count + j]. Empty where no weights are found.
std::vector<double> cancelling_weights(const std::vector<double>& products, int count,
                                       double rounding);

// GMRES's least-squares problem: its Hessenberg matrix, column by column, made a triangle by
// Givens rotations.
class KrylovTriangle {
 public:
  // most: columns; norm: of the right-hand side.
  KrylovTriangle(int most, double norm);

  void add(const KrylovColumn& column);
  [[nodiscard]] int columns() const { return n_; }
  // Size of the residual with the columns added so far; and the one expected with another column if
  // the residual falls again as it did with the last.
  [[nodiscard]] double residual() const;
  [[nodiscard]] double expected() const;
  // The factors of the basis. A singular matrix ends with a column that depends on those before it:
  // that one is left out.
  [[nodiscard]] std::vector<double> solve() const;

 private:
  // Whether the last entry of the diagonal is what rounding may leave of 0.
  [[nodiscard]] bool singular() const;

  Eigen::MatrixXd matrix_;
  Eigen::VectorXd rhs_;
  std::vector<Eigen::JacobiRotation<double>> rotations_;
  int n_ = 0;
};

}  // namespace slipfield
