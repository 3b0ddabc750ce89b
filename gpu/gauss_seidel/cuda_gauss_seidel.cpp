// SPDX-License-Identifier: Apache-2.0
#include "gpu/gauss_seidel/cuda_gauss_seidel.h"

#include "gpu/backend/cuda_backend.h"

namespace slipfield {

CudaGaussSeidel::CudaGaussSeidel(const CudaBackend& backend, const Grid& grid)
    : sweeper_(grid, backend.stream()) {}

void CudaGaussSeidel::set_contact(CudaInfluence& influence, const unsigned char* state,
                                  SweepOrder order) {
  sweeper_.set_contact(influence.table(Component::xx), influence.table(Component::xy),
                       influence.table(Component::yy), state, order);
}

}  // namespace slipfield
