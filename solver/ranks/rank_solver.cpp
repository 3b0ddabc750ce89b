// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/rank_solver.h"

#include <string>
#include <utility>

#include "solver/check/checked_solver.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"
#include "solver/problem_check.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/slab_backend.h"
#include "solver/ranks/slab_distance.h"
#include "solver/ranks/slab_run.h"

namespace slipfield {
namespace {

class RankSolver final : public ContactSolver {
 public:
  RankSolver(const ContactProblem& problem, ProgressCallback progress)
      : run_(backend_, problem,
             slab_distance(problem.geometry, problem.grid, contact_material(problem)),
             std::move(progress)) {}

  StepReport advance(const StepInput& step) override { return run_.advance(step); }
  [[nodiscard]] ContactSolution download() const override { return run_.download({}); }
  [[nodiscard]] SolverState state() const override {
    throw Error("the state of several ranks is not saved");
  }
  void restore(const SolverState& /*state*/, const StepInput& /*last*/) override {
    throw Error("the state of several ranks is not restored");
  }
  [[nodiscard]] std::string backend_name() const override { return SlabBackend::name(); }
  [[nodiscard]] std::string device_name() const override { return backend_.device_name(); }

 private:
  SlabBackend backend_;
  SlabRun<SlabBackend> run_;
};

}  // namespace

void require_for_ranks(const ContactProblem& problem) {
  require_sound(check_problem(problem));
  require_for_shared_rows(problem, {"several ranks", "one process"});
  constexpr std::size_t kFields =
      28;  // of doubles by element, those for the result's file included
  constexpr std::size_t kOfTheRest = std::size_t{16} << 20;
  const bool coupled = couples(problem.upper, problem.lower);
  const std::size_t elements =
      problem.grid.index(0, ranks::rows_of(0, ranks::count(), problem.grid.my).count);
  const std::size_t each =
      kOfTheRest + kFields * sizeof(double) * elements +
      SlabConvolution::memory_bytes(problem.grid, ranks::count(), 2, coupled ? 6 : 2);
  require_memory(problem, each * static_cast<std::size_t>(ranks::on_this_host()),
                 available_host_bytes(), "this machine has free");
}

std::unique_ptr<ContactSolver> make_rank_solver(const ContactProblem& problem,
                                                ProgressCallback progress) {
  return checked_solver(problem, std::make_unique<RankSolver>(problem, std::move(progress)));
}

}  // namespace slipfield
