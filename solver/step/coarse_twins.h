// SPDX-License-Identifier: Apache-2.0
// The runs of a contact's coarse twins, and what they say of its discretisation error.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/step/coarse_twin.h"
#include "solver/step/own_rows.h"
#include "solver/threads/side_by_side.h"

namespace slipfield {

// Run: a ContactRun.
template <class Run>
class CoarseTwins {
 public:
  explicit CoarseTwins(const ContactProblem& problem)
      : fine_(without_geometry(problem)), conserves_(conserves_energy(problem)) {}

  // Of a step that converged; model: its own. Nothing where a twin is missing or no measure. The
  // twins' steps start from nothing, so that an estimate does not depend on the steps before. On the
  // CPU both are solved at the same time: their grids are too small for all threads.
  template <class Model>
  std::optional<DiscretisationError> estimate(const Model& model, const StepInput& step,
                                              const StepReport& fine) {
    if (!has_coarse_twin(step.tangential, model.whole)) return std::nullopt;
    std::array<StepReport, kPairs.size()> coarse;
    const auto solve = [&](std::size_t k) {
      if (!runs_[k]) runs_[k] = make(model, kPairs[k]);
      runs_[k]->start_again();
      coarse[k] = runs_[k]->advance(coarse_twin(step, model.whole, kPairs[k]));
    };
    if constexpr (kOnHost<Model>) {
      side_by_side([&] { solve(0); }, [&] { solve(1); });
    } else {
      for (std::size_t k = 0; k < kPairs.size(); ++k) {
        solve(k);
        if (!is_measure(coarse[k])) return std::nullopt;
      }
    }
    if (!std::all_of(coarse.begin(), coarse.end(), is_measure)) return std::nullopt;
    return estimate_error(fine, coarse, model.grid.element_area(), step.tangential, conserves_,
                          fine_.solver.rolling);
  }

 private:
  // Whether all rows are in this process's memory.
  template <class Model>
  static constexpr bool kOnHost =
      !kSharesRows<decltype(Model::backend)> && !requires(const Model& model) {
    model.backend.most_krylov();
  };

  template <class Model>
  std::unique_ptr<Run> make(const Model& model, Pairs pairs) const {
    const std::vector<double> distance =
        whole_values(model.backend, model.backend.download(model.distance));
    const ContactProblem twin = coarse_twin(fine_, distance, pairs);
    if constexpr (kSharesRows<decltype(model.backend)>)
      return std::make_unique<Run>(twin, ProgressCallback{}, model.backend);
    else if constexpr (requires { model.backend.most_krylov(); })
      return std::make_unique<Run>(twin, ProgressCallback{}, model.backend.most_krylov());
    else
      return std::make_unique<Run>(twin, ProgressCallback{});
  }

  ContactProblem fine_;  // without geometry and steps
  bool conserves_;
  std::array<std::unique_ptr<Run>, kPairs.size()> runs_;  // made when first asked for
};

}  // namespace slipfield
