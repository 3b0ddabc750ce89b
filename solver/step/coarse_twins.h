// SPDX-License-Identifier: Apache-2.0
// Estimates the discretisation errors of a converged step from its coarse twins (THEORY.md 11.6).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/step/coarse_twin.h"
#include "solver/step/step_part.h"
#include "solver/threads/side_by_side.h"

namespace slipfield {

// Run: a ContactRun.
template <class Run, SolverBackend Backend>
class CoarseTwins final : public StepPart<Backend> {
 public:
  CoarseTwins(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        fine_(without_geometry(problem)),
        conserves_(conserves_energy(problem)) {}

  void reserve(const StepInput& step) override {
    if (!has_coarse_twin(step.tangential, model_.whole)) return;
    for (std::size_t k = 0; k < kPairs.size(); ++k) {
      if (!runs_[k]) runs_[k] = make(kPairs[k]);
      runs_[k]->reserve(coarse_twin(step, model_.whole, kPairs[k]));
    }
  }

  // Nothing where a twin is missing or no measure. The twins' steps start from nothing, so that an
  // estimate does not depend on the steps before. On the CPU both are solved at the same time: their
  // grids are too small for all threads.
  void estimate(const StepInput& step, StepReport& report) override {
    if (report.outcome != Outcome::converged || !has_coarse_twin(step.tangential, model_.whole))
      return;
    const StepInput known = with_coefficients_found(step);
    std::array<StepReport, kPairs.size()> coarse;
    const auto solve = [&](std::size_t k) {
      if (!runs_[k]) runs_[k] = make(kPairs[k]);
      runs_[k]->start_again();
      coarse[k] = runs_[k]->advance(coarse_twin(known, model_.whole, kPairs[k]));
    };
    if constexpr (kInHostMemory<Backend>) {
      side_by_side([&] { solve(0); }, [&] { solve(1); });
    } else {
      for (std::size_t k = 0; k < kPairs.size(); ++k) {
        solve(k);
        if (!is_measure(coarse[k])) return;
      }
    }
    if (!std::all_of(coarse.begin(), coarse.end(), is_measure)) return;
    report.error = estimate_error(report, coarse, model_.grid.element_area(), step.tangential,
                                  conserves_, fine_.solver.rolling);
  }

 private:
  using StepPart<Backend>::model_;

  // The twins compute no temperatures.
  StepInput with_coefficients_found(const StepInput& step) const {
    StepInput known = step;
    if (std::holds_alternative<FrictionByTemperature>(step.friction.place))
      known.friction.place = friction_by_element(model_.backend.gather(model_.warm_friction));
    return known;
  }

  std::unique_ptr<Run> make(Pairs pairs) const {
    const Backend& backend = model_.backend;
    const std::vector<double> distance = backend.gather(backend.download(model_.distance));
    ContactProblem twin = fine_;
    if constexpr (kCountsOnly<Backend>)
      twin.grid = coarse_grid(fine_.grid, pairs);
    else
      twin = coarse_twin(fine_, distance, pairs);
    return std::make_unique<Run>(twin, ProgressCallback{}, backend);
  }

  ContactProblem fine_;  // without geometry and steps
  bool conserves_;
  std::array<std::unique_ptr<Run>, kPairs.size()> runs_;  // made when first asked for
};

}  // namespace slipfield
