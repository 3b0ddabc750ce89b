// The solvers of the normal and the tangential problem on the GPU, compiled once and beside the
// step that calls them (gpu/cuda_device.cpp).
#include "gpu/backend/cuda_backend.h"
#include "solver/normal/normal_solver.h"
#include "solver/tangential/tangential_solver.h"

namespace slipfield {

template class NormalSolver<CudaBackend>;
template class TangentialSolver<CudaBackend>;

}  // namespace slipfield
