// Stands in for the GPU where the program is built without the CUDA toolkit.
#include "gpu/cuda_device.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr const char* kReason = "this program was built without the CUDA toolkit";

}  // namespace

CudaStatus cuda_status() {
  CudaStatus status;
  status.reason = kReason;
  return status;
}

std::unique_ptr<ContactSolver> make_cuda_solver(
    const ContactProblem& /*problem*/,
    ProgressCallback /*progress*/) {  // NOLINT(performance-unnecessary-value-param)
  throw Error(std::string("the backend cuda cannot be used: ") + kReason +
              "; accepted: the backend cpu, which computes the same");
}

}  // namespace slipfield
