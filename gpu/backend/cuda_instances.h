// SPDX-License-Identifier: Apache-2.0
// The solvers of the normal and the tangential problem on the GPU, compiled once, in
// gpu/backend/cuda_instances.cpp.
#pragma once

#include "gpu/backend/cuda_backend.h"
#include "solver/normal/normal_solver.h"
#include "solver/tangential/tangential_solver.h"

namespace slipfield {

extern template class NormalSolver<CudaBackend>;
extern template class TangentialSolver<CudaBackend>;

}  // namespace slipfield
