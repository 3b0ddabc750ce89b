// SPDX-License-Identifier: Apache-2.0
#include "solver/run/cpu_instances.h"

namespace slipfield {

template class NormalSolver<CpuBackend>;
template class TangentialSolver<CpuBackend>;

}  // namespace slipfield
