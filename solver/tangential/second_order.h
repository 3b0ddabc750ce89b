// SPDX-License-Identifier: Apache-2.0
// Steady rolling to second order in the element size, by defect correction (THEORY.md 5.8).
//
// The solvers keep the one-sided operator S, which they solve well. What a second-order difference
// with the known behaviour of tractions at the leading edge has more than S p enters as a part of
// the slip that is given, from the last tractions: the outer iteration brings them together.
#pragma once

#include <cmath>
#include <numbers>

#include "solver/grid.h"
#include "solver/material.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/step_ops.h"
#include "solver/tangential/second_order_ops.h"
#include "solver/tangential/slip_operator.h"

namespace slipfield {

template <class Backend>
class SecondOrder {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  SecondOrder(Backend& backend, const Grid& grid, const CombinedMaterial& material, bool wanted)
      : backend_(backend), grid_(grid), material_(material), wanted_(wanted) {}

  // Begins a step: whether it is solved to second order, and from no correction on.
  void begin(const Tangential& tangential) {
    active_ = wanted_ && tangential.problem == TangentialProblem::steady_rolling;
    passes_ = 0;
    if (!active_) return;
    if (correction_x_.size() == 0) allocate();
    const bool along_y = rolls_along_y(tangential.direction);
    const double towards =
        along_y ? std::sin(tangential.direction) : std::cos(tangential.direction);
    line_ = {grid_.mx, grid_.my, along_y, towards > 0.0 ? 1 : -1};
    step_ = tangential.step;
    run(FillField{0.0, correction_x_.data()});
    run(FillField{0.0, correction_y_.data()});
  }
  [[nodiscard]] bool active() const { return active_; }

  // The correction that the tractions found so far ask for; in contact there is pressure.
  void correct(SlipOperator<Backend>& influence, const StepFields& fields) {
    influence.apply(Block::tangential, {fields.traction_x, fields.traction_y, nullptr},
                    {slip_x_.data(), slip_y_.data(), nullptr});
    if (material_.coupling != 0.0) {
      // The edge's arrays are scratch until the edge is found.
      influence.apply(Block::tangential_from_normal, {nullptr, nullptr, fields.pressure},
                      {along_.data(), across_.data(), nullptr});
      run(AddFields{slip_x_.data(), along_.data(), slip_x_.data()});
      run(AddFields{slip_y_.data(), across_.data(), slip_y_.data()});
    }
    const double ratio = line_.along_y ? grid_.dx / grid_.dy : grid_.dy / grid_.dx;
    run(FindEdge{line_, ratio, fields.state, fields.pressure, distance_.data(), along_.data(),
                 across_.data()});
    // The correction and the tractions of the first elements push each other to and fro.
    constexpr double kShare = 0.5;
    run(CorrectSlip{.line = line_,
                    .per_traction = 2.0 * step_ / (std::numbers::pi * material_.shear_modulus),
                    .per_pressure = 2.0 * step_ * material_.coupling / material_.shear_modulus,
                    .coupling = material_.coupling,
                    .poisson_ratio = material_.poisson_ratio,
                    .share = passes_ == 0 ? 1.0 : kShare,
                    .state = fields.state,
                    .pressure = fields.pressure,
                    .traction_x = fields.traction_x,
                    .traction_y = fields.traction_y,
                    .slip_x = slip_x_.data(),
                    .slip_y = slip_y_.data(),
                    .distance = distance_.data(),
                    .along = along_.data(),
                    .across = across_.data(),
                    .correction_x = correction_x_.data(),
                    .correction_y = correction_y_.data()});
    ++passes_;
  }

  // base += the correction.
  void add_to(double* base_x, double* base_y) {
    if (!active_) return;
    run(AddFields{base_x, correction_x_.data(), base_x});
    run(AddFields{base_y, correction_y_.data(), base_y});
  }

  // Where the spin is taken, ahead of the element [length]: S p alone stands for the slip half a
  // step ahead, with the correction for that at the centre.
  [[nodiscard]] double spin_ahead() const { return passes_ == 0 ? 0.5 * step_ : 0.0; }

 private:
  template <class Op>
  void run(const Op& op) {
    backend_.run(grid_.count(), op);
  }
  void allocate() {
    for (Array<double>* array :
         {&correction_x_, &correction_y_, &slip_x_, &slip_y_, &distance_, &along_, &across_})
      *array = Array<double>(grid_.count());
  }

  Backend& backend_;
  Grid grid_;
  CombinedMaterial material_;
  bool wanted_;
  bool active_ = false;
  int passes_ = 0;
  double step_ = 0.0;
  RollingLine line_;
  Array<double> correction_x_, correction_y_, slip_x_, slip_y_, distance_, along_, across_;
};

}  // namespace slipfield
