#include "app/solver_factory.h"

#include <fmt/format.h>

#include <utility>

#include "app/console.h"
#include "gpu/cuda_backend.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// Why `automatic` takes the CPU; empty where a GPU answers.
std::string reason_against_gpu() {
  const CudaStatus status = cuda_status();
  if (!status.devices.empty()) return {};
  return status.reason.empty() ? "no GPU answers" : status.reason;
}

// The simplified theory has no place for the pressure's effect on the tangential problem.
void tell_what_is_left_out(const ContactProblem& problem) {
  const double coupling = combine(problem.upper, problem.lower).coupling;
  if (!is_simplified(problem.solver.tangential) || coupling == 0.0) return;
  log_warning(fmt::format(
      "solver.tangential: the simplified theory takes the bodies as if K were 0, it is {:.3g}",
      coupling));
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
  if (is_simplified(problem.solver.tangential)) {
    reason = "the simplified theory runs on the host";
    choice = BackendChoice::cpu;
  } else if (choice == BackendChoice::automatic) {
    reason = reason_against_gpu();
    choice = reason.empty() ? BackendChoice::cuda : BackendChoice::cpu;
    if (reason.empty()) reason = "chosen automatically";
  }
  auto solver = choice == BackendChoice::cuda ? make_cuda_solver(problem, std::move(progress))
                                              : make_cpu_solver(problem, std::move(progress));
  tell_what_is_left_out(problem);
  log_info(
      fmt::format("backend: {} on {} ({})", solver->backend_name(), solver->device_name(), reason));
  return solver;
}

}  // namespace slipfield
