// SPDX-License-Identifier: Apache-2.0
// Dense systems of the elements in contact, factorised by cuSOLVER. Mirrors solver/cpu/cpu_dense.h.
#pragma once

#include <cuda_runtime_api.h>

#include <Eigen/Dense>
#include <vector>

#include "gpu/backend/cuda_influence.h"
#include "gpu/dense/cusolver.h"
#include "gpu/device/device_array.h"
#include "solver/fields/newton_ops.h"

namespace slipfield {

class CudaDense {
 public:
  CudaDense(const CudaBackend& backend, const Grid& grid);

  // As CpuDense; f: device pointers.
  void factor_normal(CudaInfluence& influence, const std::vector<int>& elements);
  void factor_jacobian(CudaInfluence& influence, const std::vector<int>& elements,
                       const NewtonFields& f);
  void solve(Eigen::MatrixXd& columns);

 private:
  double* allocate(std::size_t rows);

  cudaStream_t stream_;
  int mx_;
  int my_;
  CusolverFactors factors_;
};

}  // namespace slipfield
