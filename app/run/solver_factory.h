// SPDX-License-Identifier: Apache-2.0
// Chooses the CPU reference or the GPU and logs the choice.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/gradient/step_systems.h"

namespace slipfield {

class ContactQueue;
enum class QueuedFields;  // solver/batch/contact_queue.h

enum class BackendChoice { automatic, cpu, cuda };

// Accepts "auto", "cpu" and "cuda"; throws InputError for any other name.
BackendChoice backend_from_name(std::string_view name);

// The backend that the user requests.
struct BackendRequest {
  BackendChoice choice = BackendChoice::automatic;
  std::optional<int> gpu = {};  // number in `slipfield info`; not given: the first
  std::vector<int> gpus = {};   // several that share the rows of the grid, instead of `gpu`
};

// A backend of this machine that can solve the problem.
struct SettledBackend {
  BackendChoice choice = BackendChoice::cpu;  // cpu or cuda
  int gpu = 0;
  std::string name;
  std::string device;
  std::string reason;          // of the choice
  std::vector<int> gpus = {};  // several, as requested
  bool shares_rows = false;    // true: they solve one problem together; false: one each
  bool replaces_gpu = false;   // the CPU, although a GPU was requested
  // Solves the contacts of the threads that joined it; null: each contact has its own solver.
  std::shared_ptr<ContactQueue> queue = {};
  QueuedFields queue_fields{};  // the fields that it returns for a contact
};
// Returns why `automatic` takes the CPU rather than a GPU with this total and free memory; empty if
// it takes the GPU: the GMRES vectors that a run keeps must fit on the card.
std::string reason_against_card(const ContactProblem& problem, std::size_t card_bytes,
                                std::size_t free_bytes);

// Throws InputError if a GPU requested by number does not exist, or if the backend uses none.
void require_gpus(const BackendRequest& request);

// `automatic` takes the GPU if one answers and has enough free memory; a GPU given by number
// implies `cuda`. Throws InputError if that GPU does not exist, Error if `cuda` is requested and
// none answers.
SettledBackend settle_backend(const BackendRequest& request, const ContactProblem& problem);
// The same for work that needs `bytes` of GPU memory and that both backends can do.
SettledBackend settle_backend(const BackendRequest& request, std::size_t bytes);
// Like settle_backend, but each GPU requested solves problems of its own; with cuda, `gpus` lists
// those that answer.
SettledBackend settle_for_points(const BackendRequest& request, const ContactProblem& problem);
// Returns the GPU for one of several threads, counted from 0.
SettledBackend backend_of_thread(const SettledBackend& backend, int thread);
// Computes the derivatives of a step on the GPU that solves it, if it is one; else, or if that GPU
// has no room, StepDerivatives uses the CPU.
StepSystemsMaker step_systems_on(const SettledBackend& backend);
std::unique_ptr<ContactSolver> make_solver(const SettledBackend& backend,
                                           const ContactProblem& problem,
                                           ProgressCallback progress);

// Logs the choice and what the problem's method leaves out.
void log_backend(const SettledBackend& backend, const ContactProblem& problem);
// Chooses a backend, logs the choice, and makes the solver.
std::unique_ptr<ContactSolver> make_contact_solver(const BackendRequest& request,
                                                   const ContactProblem& problem,
                                                   ProgressCallback progress = {});

}  // namespace slipfield
