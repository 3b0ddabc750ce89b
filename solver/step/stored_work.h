// SPDX-License-Identifier: Apache-2.0
// Energy that the bodies store in a step of transient rolling (THEORY.md 14.1): dx dy sum p_t.(u -
// u of the step before), at fixed places. It is the part of the forces' work that is not
// dissipated. Without friction it is per unit of its coefficient, for the wear in the limit.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/problem.h"
#include "solver/step/step_part.h"

namespace slipfield {

template <SolverBackend Backend>
class StoredWork final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  StoredWork(StepModel<Backend>& model, const ContactProblem& /*problem*/)
      : StepPart<Backend>(model) {}

  void reserve(const StepInput& step) override {
    constexpr std::size_t kFields = 4;  // two of them are copies of a field of the step
    if (step.tangential.problem == TangentialProblem::transient_rolling)
      count_held(model_.backend, this, kFields * sizeof(double) * model_.count);
  }

  void begin(const StepInput& step) override {
    active_ = step.tangential.problem == TangentialProblem::transient_rolling;
    if (!active_) return;
    before_x_ = model_.backend.download(model_.state.displacement_x);
    before_y_ = model_.backend.download(model_.state.displacement_y);
  }
  void report(const StepInput& /*step*/, StepMeasures& found, StepReport& report) override {
    if (!active_) return;
    const auto& state = model_.state;
    const bool per_friction = !(found.residuals.bound1 > 0.0);
    if (per_friction) model_.form_tractions_per_friction();
    const Array<double>& x = per_friction ? model_.scratch_x : state.traction_x;
    const Array<double>& y = per_friction ? model_.scratch_y : state.traction_y;
    const double along_x = change(x, state.displacement_x, before_x_);
    const double along_y = change(y, state.displacement_y, before_y_);
    report.stored_work =
        sum_over_owners(model_.backend, model_.grid.element_area() * (along_x + along_y));
  }

 private:
  using StepPart<Backend>::model_;

  [[nodiscard]] double change(const Array<double>& traction, const Array<double>& displacement,
                              const std::vector<double>& before) const {
    const std::vector<double> p = model_.backend.download(traction);
    const std::vector<double> u = model_.backend.download(displacement);
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * (u[i] - before[i]);
    return sum;
  }

  bool active_ = false;  // the step is one of transient rolling
  std::vector<double> before_x_, before_y_;
};

}  // namespace slipfield
