// SPDX-License-Identifier: Apache-2.0
// What the bodies store in a step of transient rolling (THEORY.md 14.1).
#pragma once

#include <cstddef>
#include <vector>

#include "solver/problem.h"
#include "solver/step/own_rows.h"

namespace slipfield {

// dx dy sum p_t.(u - u of the step before), place by place: of the work of the forces the part that
// is not dissipated. Nothing in steps of another kind, and where it is not wanted.
class StoredWork {
 public:
  explicit StoredWork(bool wanted) : wanted_(wanted) {}

  // While the model still has the displacements of the step before.
  template <class Model>
  void begin(const Model& model, const Tangential& tangential) {
    active_ = wanted_ && tangential.problem == TangentialProblem::transient_rolling;
    if (!active_) return;
    before_x_ = model.backend.download(model.state.displacement_x);
    before_y_ = model.backend.download(model.state.displacement_y);
  }

  // [energy] With those of this step; 0 where begin() had nothing to do.
  template <class Model>
  [[nodiscard]] double finish(Model& model) const {
    if (!active_) return 0.0;
    const double along_x =
        change(model, model.state.traction_x, model.state.displacement_x, before_x_);
    const double along_y =
        change(model, model.state.traction_y, model.state.displacement_y, before_y_);
    return sum_over_sharers(model.backend, model.grid.element_area() * (along_x + along_y));
  }

 private:
  template <class Model, class Array>
  static double change(const Model& model, const Array& traction, const Array& displacement,
                       const std::vector<double>& before) {
    const std::vector<double> p = model.backend.download(traction);
    const std::vector<double> u = model.backend.download(displacement);
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * (u[i] - before[i]);
    return sum;
  }

  bool wanted_;
  bool active_ = false;
  std::vector<double> before_x_, before_y_;
};

}  // namespace slipfield
