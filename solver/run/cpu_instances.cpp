// SPDX-License-Identifier: Apache-2.0
#include "solver/run/cpu_instances.h"

namespace slipfield {

template class NormalSolver<CpuBackend>;
template class TangentialSolver<CpuBackend>;
template class NormalWindow<CpuBackend>;
template class TangentialWindow<CpuBackend>;
template class CreepMemory<CpuBackend>;
template class FrictionField<CpuBackend>;
template class Sensitivities<CpuBackend>;

}  // namespace slipfield
