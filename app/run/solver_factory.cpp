// SPDX-License-Identifier: Apache-2.0
#include "app/run/solver_factory.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "app/console.h"
#include "gpu/cuda_device.h"
#include "solver/batch/contact_queue.h"
#include "solver/combinations.h"
#include "solver/cpu/cpu_backend.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"
#include "solver/ranks/rank_solver.h"
#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

void require_gpu(const BackendRequest& request, int gpu, const char* option) {
  if (request.choice == BackendChoice::cpu)
    throw InputError(std::string(option) +
                     ": names a GPU, and the backend cpu uses none; accepted: the backend cuda or "
                     "auto, or no " +
                     option);
  const CudaStatus status = cuda_status();
  const std::size_t count = status.devices.size();
  if (gpu >= 0 && static_cast<std::size_t>(gpu) < count) return;
  throw InputError(fmt::format(
      "{} {}: there is no such GPU; this machine shows {}", option, gpu,
      count == 0 ? fmt::format("none ({})", status.reason)
      : count == 1
          ? fmt::format("one, number 0 ({})", status.devices.front().name)
          : fmt::format("{}, numbered 0 to {} (slipfield info lists them)", count, count - 1)));
}

std::string reason_against_memory(std::size_t needed, std::size_t free) {
  if (needed <= free) return {};
  return fmt::format("the case needs up to {}, the GPU has {} free", readable_bytes(needed),
                     readable_bytes(free));
}

// Returns why `automatic` takes the CPU; empty if the GPU answers, can run the program and has the
// memory. against_memory: judges a card's total and free bytes.
template <class AgainstMemory>
std::string reason_against_gpu(int gpu, const AgainstMemory& against_memory) {
  const CudaStatus status = cuda_status();
  if (status.devices.empty()) return status.reason.empty() ? "no GPU answers" : status.reason;
  const CudaDevice& card = status.devices.at(static_cast<std::size_t>(gpu));
  if (!card.unusable.empty()) return card.unusable;
  return against_memory(card.memory_bytes, cuda_free_bytes(gpu));
}

// A GPU given by number is a request for the backend cuda.
BackendChoice asked_choice(const BackendRequest& request) {
  const bool names_gpu = request.gpu || !request.gpus.empty();
  return names_gpu && request.choice == BackendChoice::automatic ? BackendChoice::cuda
                                                                 : request.choice;
}

template <class AgainstMemory>
void settle_automatic(SettledBackend& backend, const AgainstMemory& against_memory) {
  backend.reason = reason_against_gpu(backend.gpu, against_memory);
  backend.choice = backend.reason.empty() ? BackendChoice::cuda : BackendChoice::cpu;
  if (backend.reason.empty()) backend.reason = "chosen automatically";
}

void name_device(SettledBackend& backend) {
  if (backend.choice == BackendChoice::cpu) {
    backend.device = CpuBackend().device_name();
    if (ranks::several()) backend.device += fmt::format(" in each of {} ranks", ranks::count());
    return;
  }
  backend.name = "cuda";
  backend.device = require_cuda_device(cuda_status(), backend.gpu).name;
}

// The simplified theory cannot include the pressure's effect on the tangential problem.
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

BackendChoice backend_from_name(std::string_view name) {
  if (name == "auto") return BackendChoice::automatic;
  if (name == "cpu") return BackendChoice::cpu;
  if (name == "cuda") return BackendChoice::cuda;
  throw InputError(fmt::format("there is no backend \"{}\"; accepted: auto, cpu or cuda", name));
}

std::string reason_against_card(const ContactProblem& problem, std::size_t card_bytes,
                                std::size_t free_bytes) {
  return reason_against_memory(cuda_bytes_on(problem, card_bytes), free_bytes);
}

void require_gpus(const BackendRequest& request) {
  if (request.gpu) require_gpu(request, *request.gpu, "device");
  for (const int gpu : request.gpus) require_gpu(request, gpu, "devices");
}

SettledBackend settle_backend(const BackendRequest& request, const ContactProblem& problem) {
  require_gpus(request);
  if (request.gpus.size() > 1)
    return {BackendChoice::cuda,   request.gpus.front(), "cuda", cards_name(request.gpus),
            "they share the rows", request.gpus,         true};
  const int gpu = request.gpus.empty() ? request.gpu.value_or(0) : request.gpus.front();
  const BackendChoice asked = asked_choice(request);
  SettledBackend backend{asked, gpu, "cpu", "", "as asked"};
  if (is_simplified(problem.solver.tangential)) {
    backend.reason = "the simplified theory runs on the host";
    backend.choice = BackendChoice::cpu;
  } else if (ranks::several()) {
    backend.reason = fmt::format("{} ranks share the grid out", ranks::count());
    backend.choice = BackendChoice::cpu;
  } else if (const std::string clause = refusal_on(Way::gpu, problem); !clause.empty()) {
    if (asked == BackendChoice::cuda) require_on(Way::gpu, problem, "--backend cpu or auto");
    backend.reason = clause;
    backend.choice = BackendChoice::cpu;
  } else if (asked == BackendChoice::automatic) {
    settle_automatic(backend, [&](std::size_t card_bytes, std::size_t free_bytes) {
      return reason_against_card(problem, card_bytes, free_bytes);
    });
  }
  backend.replaces_gpu = asked == BackendChoice::cuda && backend.choice == BackendChoice::cpu;
  name_device(backend);
  return backend;
}

SettledBackend settle_backend(const BackendRequest& request, std::size_t bytes) {
  require_gpus(request);
  SettledBackend backend{asked_choice(request), request.gpu.value_or(0), "cpu", "", "as asked"};
  if (backend.choice == BackendChoice::automatic)
    settle_automatic(backend, [&](std::size_t /*card_bytes*/, std::size_t free_bytes) {
      return reason_against_memory(bytes, free_bytes);
    });
  name_device(backend);
  return backend;
}

SettledBackend settle_for_points(const BackendRequest& request, const ContactProblem& problem) {
  require_gpus(request);
  BackendRequest one = request;
  if (!request.gpus.empty()) one.gpu = request.gpus.front();
  one.gpus.clear();
  SettledBackend backend = settle_backend(one, problem);
  if (backend.choice != BackendChoice::cuda || request.gpus.size() < 2) return backend;
  for (const int gpu : request.gpus) require_cuda_device(cuda_status(), gpu);
  backend.gpus = request.gpus;
  backend.device = cards_name(request.gpus);
  return backend;
}

SettledBackend backend_of_thread(const SettledBackend& backend, int thread) {
  SettledBackend own = backend;
  own.gpus.clear();
  if (!backend.gpus.empty())
    own.gpu = backend.gpus[static_cast<std::size_t>(thread) % backend.gpus.size()];
  return own;
}

StepSystemsMaker step_systems_on(const SettledBackend& backend) {
  if (backend.choice != BackendChoice::cuda || backend.gpus.size() > 1) return {};
  return [gpu = backend.gpu](const SystemsTask& task) { return make_cuda_step_systems(task, gpu); };
}

std::unique_ptr<ContactSolver> make_solver(const SettledBackend& backend,
                                           const ContactProblem& problem,
                                           ProgressCallback progress) {
  if (backend.queue) {
    SettledBackend alone = backend;
    alone.queue.reset();
    return make_queued_solver(
        backend.queue, problem, backend.queue_fields,
        [=](const ContactProblem& one) { return make_solver(alone, one, progress); });
  }
  if (ranks::several()) return make_rank_solver(problem, std::move(progress));
  if (backend.gpus.size() > 1) return make_cards_solver(problem, backend.gpus, std::move(progress));
  return backend.choice == BackendChoice::cuda
             ? make_cuda_solver(problem, backend.gpu, std::move(progress))
             : make_cpu_solver(problem, std::move(progress));
}

void log_backend(const SettledBackend& backend, const ContactProblem& problem) {
  tell_what_is_left_out(problem);
  tell_of_small_shares(backend, problem.grid);
  tell_of_short_basis(backend, problem);
  const auto text =
      fmt::format("backend: {} on {} ({})", backend.name, backend.device, backend.reason);
  if (backend.replaces_gpu)
    log_warning(text);
  else
    log_info(text);
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
