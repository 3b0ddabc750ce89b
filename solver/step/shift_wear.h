// SPDX-License-Identifier: Apache-2.0
// The depth that Archard's law wears off a place in all shifts so far (THEORY.md 14.2), as in
// fretting. The surfaces keep their shape: the depth is to stay far below the approach.
#pragma once

#include <cmath>
#include <vector>

#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/archard_ops.h"
#include "solver/step/step_part.h"

namespace slipfield {

template <SolverBackend Backend>
class ShiftWear final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  ShiftWear(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        by_archard_(problem.surface.wear->law == WearLaw::archard),
        hardness_(problem.surface.wear->hardness),
        slip_velocity_(uploaded(problem.surface.wear->coefficient.slip_velocity)),
        pressure_(uploaded(problem.surface.wear->coefficient.pressure)),
        value_(uploaded(problem.surface.wear->coefficient.value)) {
    model.state.add(
        {"wear_depth_total", &depth_, Allocated::by_part, &ContactSolution::wear_depth_total});
  }

  void reserve(const StepInput& step) override { begin(step); }
  // The depth exists from the first shift on.
  void begin(const StepInput& step) override {
    if (is_worn_by(step) && depth_.size() == 0) depth_ = Array<double>(model_.count);
  }
  void finish(const StepInput& step, StepReport& report) override {
    if (!is_worn_by(step) || !std::isfinite(report.friction_work)) return;
    auto& state = model_.state;
    const ArchardLookup law{slip_velocity_.data(),
                            static_cast<int>(slip_velocity_.size()),
                            pressure_.data(),
                            static_cast<int>(pressure_.size()),
                            value_.data(),
                            hardness_,
                            slip_rate(step.tangential)};
    model_.run(AddWornDepth{law, state.pressure.data(), state.slip_x.data(), state.slip_y.data(),
                            state.division.data(), depth_.data()});
  }

 private:
  using StepPart<Backend>::model_;

  [[nodiscard]] bool is_worn_by(const StepInput& step) const {
    return by_archard_ && step.tangential.problem == TangentialProblem::shift;
  }
  Array<double> uploaded(const std::vector<double>& values) {
    Array<double> array(values.size());
    model_.backend.upload(values, array);
    return array;
  }

  bool by_archard_;
  double hardness_;
  Array<double> slip_velocity_, pressure_, value_;  // of ArchardMap
  Array<double> depth_;                             // by all shifts
};

}  // namespace slipfield
