// SPDX-License-Identifier: Apache-2.0
// Chooses between the CPU reference and the GPU, and logs the choice.
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

// "auto" | "cpu" | "cuda"; throws InputError for any other.
BackendChoice backend_from_name(std::string_view name);

// What the user asks for.
struct BackendRequest {
  BackendChoice choice = BackendChoice::automatic;
  std::optional<int> gpu = {};  // its number in `slipfield info`; not given: the first
  std::vector<int> gpus = {};   // several that share the rows of the grid, in place of the one
};

// A backend of this machine that solves the problem.
struct SettledBackend {
  BackendChoice choice = BackendChoice::cpu;  // cpu or cuda
  int gpu = 0;
  std::string name;
  std::string device;
  std::string reason;          // of the choice
  std::vector<int> gpus = {};  // several, as asked for
  bool shares_rows = false;    // they solve one problem together, not each its own
  bool replaces_gpu = false;   // the CPU, though a GPU was asked for
  // Contacts go to it, from a thread that is its member; null: each has a solver of its own.
  std::shared_ptr<ContactQueue> queue = {};
  QueuedFields queue_fields{};  // what it returns of a contact
};
// Why `automatic` takes the CPU and not a GPU with that much memory in all and free; empty where it
// takes the GPU: where the vectors of GMRES that a run keeps on such a card fit.
std::string reason_against_card(const ContactProblem& problem, std::size_t card_bytes,
                                std::size_t free_bytes);

// Throws InputError where a GPU asked for by its number is not there, or the backend uses none.
void require_gpus(const BackendRequest& request);

// `automatic` takes the GPU where one answers and has the memory free; with a GPU named by its
// number it is `cuda`. Throws InputError where that GPU is not there, Error where none answers and
// `cuda` is asked for.
SettledBackend settle_backend(const BackendRequest& request, const ContactProblem& problem);
// The same for work that takes `bytes` of a GPU's memory and that both backends can do.
SettledBackend settle_backend(const BackendRequest& request, std::size_t bytes);
// As settle_backend, where each of the GPUs asked for takes problems of its own; those that answer
// are in `gpus` where the backend is cuda.
SettledBackend settle_for_points(const BackendRequest& request, const ContactProblem& problem);
// The GPU for one of several threads, whose numbers start at 0.
SettledBackend backend_of_thread(const SettledBackend& backend, int thread);
// Where the derivatives of a step are computed: on the GPU that solves it, if it is one; else on
// the CPU, which StepDerivatives also takes where the GPU has no room.
StepSystemsMaker step_systems_on(const SettledBackend& backend);
std::unique_ptr<ContactSolver> make_solver(const SettledBackend& backend,
                                           const ContactProblem& problem,
                                           ProgressCallback progress);

// Logs the choice, and what the problem's method leaves out.
void log_backend(const SettledBackend& backend, const ContactProblem& problem);
// Settles on a backend, logs the choice, and makes the solver.
std::unique_ptr<ContactSolver> make_contact_solver(const BackendRequest& request,
                                                   const ContactProblem& problem,
                                                   ProgressCallback progress = {});

}  // namespace slipfield
