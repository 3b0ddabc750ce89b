// SPDX-License-Identifier: Apache-2.0
#include "app/run/chosen_solver.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "app/console.h"
#include "gpu/cuda_device.h"
#include "solver/memory_estimate.h"

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

// Times of a periodic rough surface on H200: cases/SIZING.md.
void tell_of_small_shares(const SettledBackend& backend, const Grid& grid) {
  constexpr std::size_t kGains = std::size_t{4096} * 4096;
  if (!backend.shares_rows || grid.count() >= kGains) return;
  log_warning(
      fmt::format("devices: {} x {} elements are few for {} GPUs, one may be faster; 4096 x 4096 "
                  "took 54 ms on two, 58 ms on one",
                  grid.mx, grid.my, backend.gpus.size()));
}

void tell_of_short_basis(const SettledBackend& backend, const ContactProblem& problem) {
  if (backend.choice != BackendChoice::cuda || is_frictionless(problem)) return;
  const int products = krylov_products(krylov_chunks_on(
      backend.shares_rows ? backend.gpus : std::vector<int>{backend.gpu}, problem));
  if (products == kKrylovRestart) return;
  log_warning(fmt::format(
      "grid: the memory holds the vectors of {} GMRES iterations in place of {}; newton may take "
      "more steps",
      products, kKrylovRestart));
}

}  // namespace

void log_backend(const SettledBackend& backend, const ContactProblem& problem) {
  tell_what_is_left_out(problem);
  tell_of_small_shares(backend, problem.grid);
  tell_of_short_basis(backend, problem);
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
