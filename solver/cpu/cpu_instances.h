// SPDX-License-Identifier: Apache-2.0
// The solvers of the normal and the tangential problem on the CPU, compiled once, in
// solver/cpu/cpu_instances.cpp.
#pragma once

#include "solver/cpu/cpu_backend.h"
#include "solver/normal/normal_solver.h"
#include "solver/tangential/tangential_solver.h"

namespace slipfield {

extern template class NormalSolver<CpuBackend>;
extern template class TangentialSolver<CpuBackend>;

}  // namespace slipfield
