// SPDX-License-Identifier: Apache-2.0
// GMRES on either backend, preconditioned from the right [SaadSchultz1986] (THEORY.md 6.4):
// vectors stay on the device, the host sees one column of the Hessenberg matrix per iteration.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Jacobi>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/tangential/krylov_ops.h"

namespace slipfield {

template <class Backend>
class Gmres {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  Gmres(Backend& backend, std::size_t size) : backend_(backend), size_(size), column_(1) {}

  // Solves J x = b to |b - J x| <= tolerance |b| from x = 0, in at most kKrylovRestart products.
  // multiply(in, out) = J M in; precondition(in, out) = M in. Returns the number of iterations.
  template <class Multiply, class Precondition>
  int solve(const Array<double>& b, Array<double>& x, double tolerance, const Multiply& multiply,
            const Precondition& precondition) {
    const double norm = start(b);
    if (!(norm > 0.0)) {
      combine({}, x.data());
      return 0;
    }
    Eigen::MatrixXd hessenberg = Eigen::MatrixXd::Zero(kKrylovRestart + 1, kKrylovRestart);
    Eigen::VectorXd rhs = Eigen::VectorXd::Zero(kKrylovRestart + 1);
    std::vector<Eigen::JacobiRotation<double>> rotations;
    rhs[0] = norm;
    int n = 0;
    while (n < kKrylovRestart && std::abs(rhs[n]) > tolerance * norm) {
      multiply(vector(n), vector(n + 1));
      orthogonalize(vector(n + 1), n + 1);
      const KrylovColumn column = backend_.read(column_);
      for (int k = 0; k <= n; ++k) hessenberg(k, n) = column.product[k];
      hessenberg(n + 1, n) = std::sqrt(column.norm2);
      for (int k = 0; k < n; ++k) {
        hessenberg.col(n).applyOnTheLeft(k, k + 1,
                                         rotations[static_cast<std::size_t>(k)].adjoint());
      }
      Eigen::JacobiRotation<double> rotation;
      rotation.makeGivens(hessenberg(n, n), hessenberg(n + 1, n));
      hessenberg.col(n).applyOnTheLeft(n, n + 1, rotation.adjoint());
      rhs.applyOnTheLeft(n, n + 1, rotation.adjoint());
      rotations.push_back(rotation);
      ++n;
      if (!(column.norm2 > 0.0) || !std::isfinite(column.norm2)) break;
    }
    // A singular matrix ends the basis with a column that depends on those before it.
    if (n > 0 && singular(hessenberg, n)) --n;
    const Eigen::VectorXd y =
        hessenberg.topLeftCorner(n, n).template triangularView<Eigen::Upper>().solve(rhs.head(n));
    combine(y, vector(n));
    precondition(vector(n), x.data());
    return n;
  }

 private:
  // Whether the last entry of the triangle's diagonal is what rounding may leave of 0.
  static bool singular(const Eigen::MatrixXd& triangle, int n) {
    constexpr double kRounding = 1.0e-10;
    double greatest = 0.0;
    for (int k = 0; k < n; ++k) greatest = std::fmax(greatest, std::abs(triangle(k, k)));
    return !(std::abs(triangle(n - 1, n - 1)) > kRounding * greatest);
  }

  // Vectors are made in chunks when first used: few allocations, and no more memory than an
  // iteration needs.
  double* vector(int k) {
    const auto chunk = static_cast<std::size_t>(k / kKrylovFused);
    while (chunks_.size() <= chunk) chunks_.emplace_back(kKrylovFused * size_);
    return chunks_[chunk].data() + static_cast<std::size_t>(k % kKrylovFused) * size_;
  }

  double start(const Array<double>& b) {
    backend_.run(size_, scaled_copy(b.data(), 1.0, vector(0)));
    orthogonalize(vector(0), 0);
    return std::sqrt(backend_.read(column_).norm2);
  }

  // Takes the first `count` vectors of the basis out of w and normalizes it.
  void orthogonalize(double* w, int count) {
    int first = 0;
    do {
      MultiplyBasis multiply;
      multiply.vectors = std::min(kKrylovFused, count - first);
      multiply.first = first;
      multiply.w = w;
      multiply.column = column_.data();
      for (int k = 0; k < multiply.vectors; ++k) multiply.basis[k] = vector(first + k);
      backend_.run(size_, multiply);
      first += kKrylovFused;
    } while (first < count);
    first = 0;
    do {
      SubtractBasis subtract;
      subtract.vectors = std::min(kKrylovFused, count - first);
      subtract.first = first;
      subtract.w = w;
      subtract.column = column_.data();
      for (int k = 0; k < subtract.vectors; ++k) subtract.basis[k] = vector(first + k);
      first += kKrylovFused;
      subtract.last = first >= count;
      backend_.run(size_, subtract);
    } while (first < count);
  }

  void combine(const Eigen::VectorXd& factor, double* out) {
    int first = 0;
    do {
      CombineBasis op{{}, {}, 0, first > 0, out};
      op.vectors = std::min(kKrylovFused, static_cast<int>(factor.size()) - first);
      for (int k = 0; k < op.vectors; ++k) {
        op.basis[k] = vector(first + k);
        op.factor[k] = factor[first + k];
      }
      backend_.run(size_, op);
      first += kKrylovFused;
    } while (first < factor.size());
  }

  Backend& backend_;
  std::size_t size_;
  std::vector<Array<double>> chunks_;
  Array<KrylovColumn> column_;
};

}  // namespace slipfield
