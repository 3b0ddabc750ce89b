// SPDX-License-Identifier: Apache-2.0
#include "gpu/backend/cuda_instances.h"

namespace slipfield {

template class NormalSolver<CudaBackend>;
template class TangentialSolver<CudaBackend>;

}  // namespace slipfield
