// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/rank_solver.h"

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "solver/combinations.h"
#include "solver/cpu/host_memory.h"
#include "solver/memory_estimate.h"
#include "solver/problem_check.h"
#include "solver/ranks/counting_rows.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/shared_rows.h"
#include "solver/ranks/slab_backend.h"
#include "solver/run/checked_solver.h"
#include "solver/step/contact_step.h"

namespace slipfield {
namespace {

// Each rank runs the solvers' code on its rows (solver/fields/own_rows.h).
class RankSolver final : public ForwardingSolver {
 public:
  RankSolver(const ContactProblem& problem, ProgressCallback progress)
      : ForwardingSolver(std::make_unique<ContactRun<SlabBackend>>(problem, std::move(progress))),
        grid_(problem.grid),
        joins_(!problem.surface.empty()) {}

  [[nodiscard]] const double* device_values(
      std::vector<double> ContactSolution::* /*field*/) const override {
    return nullptr;  // a rank has its own rows only
  }
  [[nodiscard]] ContactSolution download() const override { return joined(solver_->download()); }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    return joined(solver_->download_fields(chosen));
  }
  // Returns all rows on the first rank, or on each.
  [[nodiscard]] SolverState state() const override {
    SolverState own = solver_->state();
    SolverState all;
    const std::vector<std::string> names = ranks::names_of_first(names_of(own));
    require_for_whole_fields(names.size());
    for (const std::string& name : names) {
      const std::vector<double>& values = own[name];
      all[name] = !is_field_of_state(name) ? values
                  : joins_                 ? ranks::gather(values)
                                           : ranks::gather_on_first(values);
      own[name] = {};
    }
    return all;
  }
  // All rows are passed in on each rank.
  void restore(const SolverState& state, const StepInput& last) override {
    ranks::each(
        [&] { solver_->restore(rows_of_state(grid_, ranks::own_rows(grid_.my), state), last); });
  }
  [[nodiscard]] SolverState own_state() const override { return solver_->state(); }
  void restore_own(const SolverState& state, const StepInput& last) override {
    ranks::each([&] { solver_->restore(state, last); });
  }
  [[nodiscard]] double least_of(std::vector<double> ContactSolution::*field) const override {
    return -ranks::greatest(-ForwardingSolver::least_of(field));
  }

 private:
  // Gives each rank all rows if it needs them, since heat and wear act along the surfaces, also
  // across rows.
  [[nodiscard]] ContactSolution joined(ContactSolution own) const {
    if (!joins_) return own;
    for (const auto field : kSolutionFields) own.*field = ranks::gather(own.*field);
    std::vector<double> division;
    for (const ElementState state : own.element_division)
      division.push_back(static_cast<double>(state));
    own.element_division.clear();
    for (const double state : ranks::gather(division))
      own.element_division.push_back(static_cast<ElementState>(state));
    return own;
  }

  static std::vector<std::string> names_of(const SolverState& state) {
    std::vector<std::string> names;
    for (const auto& [name, values] : state) names.push_back(name);
    return names;
  }

  // If the first rank has no room for `fields` fields all ranks throw, so that none waits for its
  // rows.
  void require_for_whole_fields(std::size_t fields) const {
    const std::size_t needed = fields * grid_.count() * sizeof(double);
    const std::size_t free = available_host_bytes();
    const double lacking = ranks::is_first() && needed > free ? 1.0 : 0.0;
    if (ranks::greatest(lacking) == 0.0) return;
    throw StateTooLarge("the first rank holds the state of all ranks for it, " +
                        std::to_string(fields) + " fields of " + std::to_string(grid_.mx) + " x " +
                        std::to_string(grid_.my) + " elements: " + readable_bytes(needed) +
                        "; its machine has free " + readable_bytes(free));
  }

  Grid grid_;
  bool joins_;  // each rank gets the rows of all ranks
};

// A rank's rows in a dry run.
class CountingRank : public CountingRows<CountingBackend> {
 public:
  using Influence = CountingInfluence;
  using CountingRows::CountingRows;
  [[nodiscard]] static std::size_t most_alone() { return SlabBackend::most_alone(); }
  [[nodiscard]] static std::size_t most_fetched() { return SlabBackend::most_fetched(); }
};

std::size_t field_bytes_of_rank(const ContactProblem& problem) {
  const CountingMemory counting;
  ContactRun<CountingRank> run(problem, {}, ranks::count(), krylov_products(kMostKrylovChunks),
                               true);
  for (const StepInput& step : problem.steps) run.reserve(step);
  return counting.counts().fields.most;
}

// Number of whole-grid fields that a rank holds for a while, which the dry run does not see.
std::size_t whole_fields(const ContactProblem& problem) {
  constexpr std::size_t kSecondOrder = 7;  // gathered, or in a saved state
  constexpr std::size_t kSurfaces = 40;    // a solution and a state, temperatures and heat fluxes
  std::size_t fields = problem.patches.exist() ? 1 + problem.patches.rectangles.size() : 0;
  if (problem.solver.rolling == RollingScheme::second_order) fields += kSecondOrder;
  if (!problem.surface.empty()) fields += kSurfaces;
  return fields;
}

// MPI counts the elements of a gathered field as int.
void require_countable(const Grid& grid) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  if (grid.count() <= kMost) return;
  throw InputError("grid: " + std::to_string(grid.mx) + " x " + std::to_string(grid.my) +
                   " elements are more than several ranks share out; accepted: " +
                   std::to_string(kMost) + " elements at most, such as 46340 x 46340");
}

}  // namespace

void require_for_ranks(const ContactProblem& problem) {
  require_sound(check_problem(problem));
  require_on(Way::several_ranks, problem);
  require_countable(problem.grid);
  constexpr std::size_t kOfTheRest = std::size_t{16} << 20;
  constexpr std::size_t kWritten = 12;  // fields for the result's file
  constexpr int kComponentsOfWork = 6;  // of displacements now and before
  const int rows = ranks::rows_of(0, ranks::count(), problem.grid.my).count;
  const std::size_t elements = problem.grid.index(0, rows);
  const std::size_t spectrum = CpuFftConvolution::memory_bytes(problem.grid, 0, 1);
  const auto spectra =  // of one process, which has more
      static_cast<int>(counted_memory(problem).products.most / spectrum + 1);
  const std::size_t each =
      kOfTheRest + field_bytes_of_rank(problem) + kWritten * sizeof(double) * elements +
      SlabConvolution::memory_bytes(problem.grid, ranks::count(), kComponentsOfWork, spectra) +
      whole_fields(problem) * sizeof(double) * problem.grid.count();
  require_memory(problem, each * static_cast<std::size_t>(ranks::on_this_host()),
                 available_host_bytes(), "this machine has free");
}

std::unique_ptr<ContactSolver> make_rank_solver(const ContactProblem& problem,
                                                ProgressCallback progress) {
  return checked_solver(problem, std::make_unique<RankSolver>(problem, std::move(progress)));
}

}  // namespace slipfield
