// SPDX-License-Identifier: Apache-2.0
#include "app/run/chosen_solver.h"

#include <fmt/format.h>

#include <utility>

#include "app/console.h"

namespace slipfield {
namespace {

// The simplified theory has no place for the pressure's effect on the tangential problem.
void tell_what_is_left_out(const ContactProblem& problem) {
  const double coupling = combine(problem.upper, problem.lower).coupling;
  if (!is_simplified(problem.solver.tangential) || coupling == 0.0) return;
  log_warning(fmt::format(
      "solver.tangential: the simplified theory takes the bodies as if K were 0, it is {:.3g}",
      coupling));
}

}  // namespace

void log_backend(const SettledBackend& backend, const ContactProblem& problem) {
  tell_what_is_left_out(problem);
  log_info(fmt::format("backend: {} on {} ({})", backend.name, backend.device, backend.reason));
}

std::unique_ptr<ContactSolver> make_contact_solver(const BackendRequest& request,
                                                   const ContactProblem& problem,
                                                   ProgressCallback progress) {
  const SettledBackend backend = settle_backend(request, problem);
  auto solver = make_solver(backend, problem, std::move(progress));
  log_backend(backend, problem);
  return solver;
}

}  // namespace slipfield
