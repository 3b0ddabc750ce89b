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
#include "solver/step/step_part.h"
#include "solver/threads/team_work.h"

namespace slipfield {

// The same contact on two grids of twice the element size, for an estimate of the discretisation
// error (THEORY.md 11.6).

// The two coarse grids are half a coarse element apart, so that the contact's edge lies inside
// elements of one or the other. Each grid is its own mirror image: an even count of elements is
// paired from the first or from the second element, which leaves the first alone; with an odd count
// a coarse element is one element and half of each neighbour, and the middle element is the centre
// of a coarse one or not.
enum class Twin { first, second };
inline constexpr std::array kTwins = {Twin::first, Twin::second};

// The problem's settings for its twins, still on its own grid: without twins of their own, and
// without requests that only report.
ContactProblem settings_of_twins(const ContactProblem& problem);

// The grid of twice the element size; a direction of one element keeps its size.
Grid coarse_grid(const Grid& fine, Twin which);

// The problem on that grid, without steps. distance: undeformed distance at the element centres of
// problem.grid [length].
ContactProblem coarse_twin(const ContactProblem& problem, const std::vector<double>& distance,
                           Twin which);

// The twin of a step: same loads and friction, and twice the rolling step, like the elements.
StepInput coarse_twin(const StepInput& step, const Grid& fine, Twin which);

// Whether a step has twins: it rolls steadily, has no extra slip of single elements, and does not
// roll across a single row, whose elements keep their length.
bool has_coarse_twin(const Tangential& tangential, const Grid& fine);

// Whether a twin's result is usable for comparison: it converged with enough elements in contact.
bool is_measure(const StepReport& coarse);

// Estimated errors of the finer result. Each is the root mean square distance from the coarser
// ones, half of it for a second-order scheme except for the friction work, plus half an element's
// share of the value (for forces and moment, of what friction can carry). What is prescribed, a
// force or a creepage, has none. The friction work is also compared with what the forces dissipate,
// to which it converges slowly. Of the problem only the settings count; where it does not conserve
// energy, the errors of second order fall more slowly.
DiscretisationError estimate_error(const StepReport& fine,
                                   const std::array<StepReport, kTwins.size()>& coarse,
                                   double element_area, const Tangential& tangential,
                                   const ContactProblem& problem);

// Fewer elements in contact on the coarse grid give no estimate.
inline constexpr int kLeastForEstimate = 12;

// Run: a ContactRun.
template <class Run, SolverBackend Backend>
class CoarseTwins final : public StepPart<Backend> {
 public:
  CoarseTwins(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model), fine_(settings_of_twins(problem)) {}

  void reserve(const StepInput& step) override {
    if (!has_coarse_twin(step.tangential, model_.whole)) return;
    for (std::size_t k = 0; k < kTwins.size(); ++k) {
      if (!runs_[k]) runs_[k] = make(kTwins[k]);
      runs_[k]->reserve(coarse_twin(step, model_.whole, kTwins[k]));
    }
  }

  // Reports nothing if a twin is missing or not usable. The twins start unloaded, so that an
  // estimate does not depend on earlier steps. On the CPU both are solved at the same time: their
  // grids are too small for all threads.
  void estimate(const StepInput& step, StepReport& report) override {
    if (report.outcome != Outcome::converged || !has_coarse_twin(step.tangential, model_.whole))
      return;
    const StepInput known = with_coefficients_found(step);
    std::array<StepReport, kTwins.size()> coarse;
    const auto solve = [&](std::size_t k) {
      if (!runs_[k]) runs_[k] = make(kTwins[k]);
      runs_[k]->start_again();
      coarse[k] = runs_[k]->advance(coarse_twin(known, model_.whole, kTwins[k]));
    };
    if constexpr (kInHostMemory<Backend>) {
      side_by_side([&] { solve(0); }, [&] { solve(1); });
    } else {
      for (std::size_t k = 0; k < kTwins.size(); ++k) {
        solve(k);
        if (!is_measure(coarse[k])) return;
      }
    }
    if (!std::all_of(coarse.begin(), coarse.end(), is_measure)) return;
    report.error =
        estimate_error(report, coarse, model_.grid.element_area(), step.tangential, fine_);
  }

 private:
  using StepPart<Backend>::model_;

  // The twins compute no temperatures and take the coefficients found.
  StepInput with_coefficients_found(const StepInput& step) const {
    StepInput known = step;
    if (std::holds_alternative<FrictionByTemperature>(step.friction.place))
      known.friction.place = friction_by_element(model_.backend.gather(model_.warm_friction));
    return known;
  }

  std::unique_ptr<Run> make(Twin which) const {
    const Backend& backend = model_.backend;
    const std::vector<double> distance = backend.gather(backend.download(model_.distance));
    ContactProblem twin = fine_;
    if constexpr (kCountsOnly<Backend>)
      twin.grid = coarse_grid(fine_.grid, which);
    else
      twin = coarse_twin(fine_, distance, which);
    return std::make_unique<Run>(twin, ProgressCallback{}, backend);
  }

  ContactProblem fine_;                                   // settings_of_twins()
  std::array<std::unique_ptr<Run>, kTwins.size()> runs_;  // made on first use
};

}  // namespace slipfield
