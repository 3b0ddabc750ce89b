// SPDX-License-Identifier: Apache-2.0
// gauss_seidel on the GPU, as the solvers call it. Mirrors solver/cpu/cpu_gauss_seidel.h.
#pragma once

#include "gpu/gauss_seidel/gauss_seidel.h"
#include "solver/fields/tangential_ops.h"

namespace slipfield {

class CudaBackend;
class CudaInfluence;

class CudaGaussSeidel {
 public:
  CudaGaussSeidel(const CudaBackend& backend, const Grid& grid);
  void set_contact(CudaInfluence& influence, const unsigned char* state, SweepOrder order);
  SweepChange sweep(const TangentialFields& fields, double relaxation) {
    return sweeper_.sweep(fields, relaxation);
  }

 private:
  GaussSeidelSweeper sweeper_;
};

}  // namespace slipfield
