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
#include "solver/ranks/shared_rows.h"
#include "solver/ranks/slab_backend.h"
#include "solver/step/contact_step.h"

namespace slipfield {
namespace {

// Each rank runs the solvers' text on its rows (solver/step/own_rows.h).
class RankSolver final : public ContactSolver {
 public:
  RankSolver(const ContactProblem& problem, ProgressCallback progress)
      : grid_(problem.grid), run_(problem, std::move(progress)) {}

  StepReport advance(const StepInput& step) override { return run_.advance(step); }
  [[nodiscard]] ContactSolution download() const override { return run_.download(); }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    return run_.download_fields(chosen);
  }
  // The first rank gets all rows.
  [[nodiscard]] SolverState state() const override {
    SolverState own = run_.state();
    SolverState all;
    for (const std::string& name : ranks::names_of_first(names_of(own))) {
      const std::vector<double>& values = own[name];
      all[name] = name == kStateNumbers ? values : ranks::gather_on_first(values);
      own[name] = {};
    }
    return all;
  }
  // Each rank is given all rows.
  void restore(const SolverState& state, const StepInput& last) override {
    ranks::each([&] {
      SolverState own;
      for (const auto& [name, values] : state) {
        if (name != kStateNumbers && values.size() != grid_.count()) refuse_state(name);
        own[name] = name == kStateNumbers ? values : own_values(SlabBackend(), grid_, values);
      }
      run_.restore(own, last);
    });
  }
  [[nodiscard]] std::string backend_name() const override { return run_.backend_name(); }
  [[nodiscard]] std::string device_name() const override { return run_.device_name(); }

 private:
  static std::vector<std::string> names_of(const SolverState& state) {
    std::vector<std::string> names;
    for (const auto& [name, values] : state) names.push_back(name);
    return names;
  }

  Grid grid_;
  ContactRun<SlabBackend> run_;
};

}  // namespace

void require_for_ranks(const ContactProblem& problem) {
  require_sound(check_problem(problem));
  require_for_shared_rows(problem, {"several ranks", "one process"});
  constexpr std::size_t kOfTheRest = std::size_t{16} << 20;
  constexpr std::size_t kWritten = 12;  // fields for the result's file
  constexpr int kComponentsOfWork = 6;  // of displacements now and before
  const FieldsAndSpectra all = fields_and_spectra(problem);
  const std::size_t elements =
      problem.grid.index(0, ranks::rows_of(0, ranks::count(), problem.grid.my).count);
  const std::size_t each =
      kOfTheRest + (all.fields + kWritten) * sizeof(double) * elements +
      SlabConvolution::memory_bytes(problem.grid, ranks::count(), kComponentsOfWork, all.spectra);
  require_memory(problem, each * static_cast<std::size_t>(ranks::on_this_host()),
                 available_host_bytes(), "this machine has free");
}

std::unique_ptr<ContactSolver> make_rank_solver(const ContactProblem& problem,
                                                ProgressCallback progress) {
  return checked_solver(problem, std::make_unique<RankSolver>(problem, std::move(progress)));
}

}  // namespace slipfield
