// SPDX-License-Identifier: Apache-2.0
// The parts of a step on the CPU, compiled once, in solver/run/cpu_instances.cpp.
#pragma once

#include "solver/cpu/cpu_backend.h"
#include "solver/normal/normal_solver.h"
#include "solver/step/creep_memory.h"
#include "solver/step/friction_field.h"
#include "solver/step/sensitivities.h"
#include "solver/tangential/tangential_solver.h"
#include "solver/window/normal_window.h"
#include "solver/window/tangential_window.h"

namespace slipfield {

extern template class NormalSolver<CpuBackend>;
extern template class TangentialSolver<CpuBackend>;
extern template class NormalWindow<CpuBackend>;
extern template class TangentialWindow<CpuBackend>;
extern template class CreepMemory<CpuBackend>;
extern template class FrictionField<CpuBackend>;
extern template class Sensitivities<CpuBackend>;

}  // namespace slipfield
