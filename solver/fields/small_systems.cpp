// SPDX-License-Identifier: Apache-2.0
#include "solver/fields/small_systems.h"

#include <cmath>

#include "solver/fields/iteration_limits.h"

namespace slipfield {

void nearest_combination(const ChangeProducts<MixedRounds::kMost>& gram,
                         const MixingProducts& products, int count, double* part) {
  constexpr double kRounding = 1.0e-14;
  using Gram = Eigen::Matrix<double, MixedRounds::kMost, MixedRounds::kMost>;
  const Eigen::Map<const Gram> whole(gram.front().data());
  // Each change scaled to the length 1.
  Eigen::VectorXd scale(count);
  for (int k = 0; k < count; ++k) scale[k] = whole(k, k) > 0.0 ? 1.0 / std::sqrt(whole(k, k)) : 0.0;
  const Eigen::MatrixXd scaled =
      scale.asDiagonal() * whole.topLeftCorner(count, count) * scale.asDiagonal();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(count, count);
  factors.setThreshold(kRounding);
  factors.compute(scaled);
  const Eigen::VectorXd scaled_products =
      scale.asDiagonal() * Eigen::Map<const Eigen::VectorXd>(products.value, count);
  Eigen::Map<Eigen::VectorXd>(part, count) = scale.asDiagonal() * factors.solve(scaled_products);
}

std::vector<double> cancelling_weights(const std::vector<double>& products, int count,
                                       double rounding) {
  const auto row = static_cast<std::size_t>(count);
  const auto product = [&](int i, int j) {
    return products[static_cast<std::size_t>(i) * row + static_cast<std::size_t>(j)];
  };
  Eigen::MatrixXd matrix(count, count);
  Eigen::VectorXd scale(count);
  for (int i = 0; i < count; ++i) {
    scale(i) = 1.0 / std::sqrt(product(i, i));
    for (int j = 0; j <= i; ++j) matrix(i, j) = matrix(j, i) = scale(i) * scale(j) * product(i, j);
  }
  matrix.diagonal().array() += rounding;
  const Eigen::VectorXd solved = scale.cwiseProduct(matrix.ldlt().solve(scale));
  const double sum = solved.sum();
  if (!solved.allFinite() || !(sum > 0.0)) return {};
  std::vector<double> weights(solved.begin(), solved.end());
  for (double& weight : weights) weight /= sum;
  return weights;
}

KrylovTriangle::KrylovTriangle(int most, double norm)
    : matrix_(Eigen::MatrixXd::Zero(most + 1, most)), rhs_(Eigen::VectorXd::Zero(most + 1)) {
  rhs_[0] = norm;
}

void KrylovTriangle::add(const KrylovColumn& column) {
  const int n = n_++;
  for (int k = 0; k <= n; ++k) matrix_(k, n) = column.product[k];
  matrix_(n + 1, n) = std::sqrt(column.norm2);
  for (int k = 0; k < n; ++k)
    matrix_.col(n).applyOnTheLeft(k, k + 1, rotations_[static_cast<std::size_t>(k)].adjoint());
  Eigen::JacobiRotation<double> rotation;
  rotation.makeGivens(matrix_(n, n), matrix_(n + 1, n));
  matrix_.col(n).applyOnTheLeft(n, n + 1, rotation.adjoint());
  rhs_.applyOnTheLeft(n, n + 1, rotation.adjoint());
  rotations_.push_back(rotation);
}

double KrylovTriangle::residual() const { return std::abs(rhs_[n_]); }

double KrylovTriangle::expected() const {
  return n_ == 0 ? HUGE_VAL : rhs_[n_] * rhs_[n_] / std::abs(rhs_[n_ - 1]);
}

bool KrylovTriangle::singular() const {
  double greatest = 0.0;
  for (int k = 0; k < n_; ++k) greatest = std::fmax(greatest, std::abs(matrix_(k, k)));
  return !(std::abs(matrix_(n_ - 1, n_ - 1)) > GridLimits::kSingular * greatest);
}

std::vector<double> KrylovTriangle::solve() const {
  const int n = n_ > 0 && singular() ? n_ - 1 : n_;
  const Eigen::VectorXd y =
      matrix_.topLeftCorner(n, n).triangularView<Eigen::Upper>().solve(rhs_.head(n));
  return {y.begin(), y.end()};
}

}  // namespace slipfield
