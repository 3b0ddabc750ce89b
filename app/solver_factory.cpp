#include "app/solver_factory.h"

#include <fmt/format.h>

#include <utility>

#include "app/console.h"
#include "gpu/cuda_backend.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// Why `automatic` takes the CPU; empty where a GPU answers and solves the problem.
std::string reason_against_gpu(const ContactProblem& problem) {
  const CudaStatus status = cuda_status();
  if (!status.devices.empty()) {
    return cuda_solves(problem) ? "" : "the GPU does not solve friction on periodic grids";
  }
  return status.reason.empty() ? "no GPU answers" : status.reason;
}

}  // namespace

BackendChoice backend_from_name(std::string_view name) {
  if (name == "auto") return BackendChoice::automatic;
  if (name == "cpu") return BackendChoice::cpu;
  if (name == "cuda") return BackendChoice::cuda;
  throw InputError(
      fmt::format("there is no backend \"{}\"; accepted are auto, cpu and cuda", name));
}

std::unique_ptr<ContactSolver> make_contact_solver(BackendChoice choice,
                                                   const ContactProblem& problem,
                                                   ProgressCallback progress) {
  std::string reason = "as asked";
  if (choice == BackendChoice::automatic) {
    reason = reason_against_gpu(problem);
    choice = reason.empty() ? BackendChoice::cuda : BackendChoice::cpu;
    if (reason.empty()) reason = "chosen automatically";
  }
  auto solver = choice == BackendChoice::cuda ? make_cuda_solver(problem, std::move(progress))
                                              : make_cpu_solver(problem, std::move(progress));
  log_info(
      fmt::format("backend: {} on {} ({})", solver->backend_name(), solver->device_name(), reason));
  return solver;
}

}  // namespace slipfield
