// SPDX-License-Identifier: Apache-2.0
// Replaces the GPU in builds without the CUDA toolkit.
#include "gpu/cuda_device.h"
#include "solver/error.h"
#include "solver/gradient/step_systems.h"
#include "solver/interior/interior_planes.h"

namespace slipfield {
namespace {

constexpr const char* kReason = "this program was built without the CUDA toolkit";

}  // namespace

CudaStatus cuda_status() {
  CudaStatus status;
  status.reason = kReason;
  return status;
}

std::size_t cuda_free_bytes(int /*device*/) { return 0; }

int cuda_wait(const void* /*memory*/) { throw Error(kReason); }

void cuda_copy(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) { throw Error(kReason); }

std::unique_ptr<ContactSolver> make_cuda_solver(
    const ContactProblem& /*problem*/, int /*device*/,
    ProgressCallback /*progress*/) {  // NOLINT(performance-unnecessary-value-param)
  require_cuda_device(cuda_status(), 0);
  throw Error(kReason);
}

std::unique_ptr<ContactSolver> make_cards_solver(
    const ContactProblem& /*problem*/, const std::vector<int>& /*devices*/,
    ProgressCallback /*progress*/) {  // NOLINT(performance-unnecessary-value-param)
  require_cuda_device(cuda_status(), 0);
  throw Error(kReason);
}

std::unique_ptr<StepSystems> make_cuda_step_systems(const SystemsTask& /*task*/, int /*device*/) {
  require_cuda_device(cuda_status(), 0);
  throw Error(kReason);
}

std::string cards_name(const std::vector<int>& /*devices*/) {
  require_cuda_device(cuda_status(), 0);
  throw Error(kReason);
}

BatchSolution solve_batch_on_cuda(const ContactBatch& /*batch*/, const BatchOptions& /*options*/,
                                  int /*device*/) {
  require_cuda_device(cuda_status(), 0);
  throw Error(kReason);
}

CudaBatches make_cuda_batches(int device) {
  require_cuda_device(cuda_status(), device);
  throw Error(kReason);
}

std::unique_ptr<InteriorPlanes> make_cuda_interior_planes(const InteriorTask& /*task*/,
                                                          const ContactSolution& /*solution*/,
                                                          int /*device*/) {
  require_cuda_device(cuda_status(), 0);
  throw Error(kReason);
}

}  // namespace slipfield
