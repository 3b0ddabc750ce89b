// SPDX-License-Identifier: Apache-2.0
// Dense systems of the elements in contact, factorised on the CPU: a reference for the iterative
// methods, and fast if one contact has many right-hand sides. gpu/dense/cuda_dense.h is its GPU
// counterpart.
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "solver/cpu/cpu_influence.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

class CpuDense {
 public:
  CpuDense(const CpuBackend& backend, const Grid& grid) : mx_(grid.mx) {
    static_cast<void>(backend);  // named as on the GPU
  }

  // Cholesky factors of A_nn over the elements (indices into the grid); for viscoelastic bodies LU
  // factors. Throws Error if a matrix that should be positive definite is not.
  void factor_normal(CpuInfluence& influence, const std::vector<int>& elements);

  // LU factors of newton's Jacobian over the elements: x of all, y of all, and the rigid slips
  // whose force is given (newton_ops.h). f: the fields of the step, linearized.
  void factor_jacobian(CpuInfluence& influence, const std::vector<int>& elements,
                       const NewtonFields& f);

  // Replaces each column by the solution of the factorised system.
  void solve(Eigen::MatrixXd& columns) const;

 private:
  void allocate(Eigen::Index rows);

  int mx_;
  Eigen::MatrixXd matrix_;  // holds the factors in the place of the matrix
  std::optional<Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>> cholesky_;
  std::optional<Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXd>>> lu_;
};

}  // namespace slipfield
