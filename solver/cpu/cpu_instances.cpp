// The solvers of the normal and the tangential problem on the CPU, compiled once and beside the
// step that calls them (solver/cpu/cpu_solver.cpp).
#include "solver/cpu/cpu_backend.h"
#include "solver/normal/normal_solver.h"
#include "solver/tangential/tangential_solver.h"

namespace slipfield {

template class NormalSolver<CpuBackend>;
template class TangentialSolver<CpuBackend>;

}  // namespace slipfield
