// SPDX-License-Identifier: Apache-2.0
// The energy per rolling distance that the pressure loses in viscoelastic bodies and, between unlike
// ones, passes on to the slip: the rolling resistance of a steady step; and what the tangential
// tractions give to the bodies (THEORY.md 11.7).
#pragma once

#include <cmath>

#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/step_part.h"

namespace slipfield {

template <SolverBackend Backend>
class RollingLoss final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  RollingLoss(StepModel<Backend>& model, const ContactProblem& /*problem*/)
      : StepPart<Backend>(model), loss_(1) {}

  void report(const StepInput& step, StepMeasures& /*found*/, StepReport& report) override {
    const double direction = step.tangential.direction;
    const bool along_y = rolls_along_y(direction);
    if (!is_rolling(step.tangential.problem) || !(along_y || rolls_along_x(direction))) return;
    const StepFields& fields = model_.fields;
    report.given_to_bodies = loss(along_y, direction, fields.traction_x, fields.displacement_x) +
                             loss(along_y, direction, fields.traction_y, fields.displacement_y);
    if (step.tangential.problem == TangentialProblem::steady_rolling)
      report.surface.rolling_resistance =
          loss(along_y, direction, fields.pressure, fields.displacement_n);
  }

 private:
  using StepPart<Backend>::model_;

  // -dx dy sum p du/ds, s along the rolling direction.
  double loss(bool along_y, double direction, const double* traction, const double* displacement) {
    const double towards = along_y ? std::sin(direction) : std::cos(direction);
    const Grid& grid = model_.grid;
    const RowsBeside<Backend> beside(model_.backend, model_.whole, 1);
    const Grid with_beside = beside.grid();
    Array<double> room_p;
    Array<double> room_u;
    model_.backend.run(with_beside.count(),
                       SumRollingLoss{grid.mx, with_beside.my, along_y,
                                      std::copysign(1.0 / (along_y ? grid.dy : grid.dx), towards),
                                      beside.with_zeros(traction, room_p),
                                      beside.with(displacement, room_u), loss_.data()});
    return -grid.element_area() * model_.backend.read(loss_);
  }

  Array<double> loss_;
};

}  // namespace slipfield
