// SPDX-License-Identifier: Apache-2.0
// The energy per rolling distance that the pressure loses in viscoelastic bodies and, between
// unlike ones, passes on to the slip: the rolling resistance of a steady step; and what the
// tangential tractions give to the bodies (THEORY.md 11.7). Without friction the latter is per unit
// of its coefficient, for the wear in the limit (14.1).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/influence/block.h"
#include "solver/influence/fading_memory.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/step_part.h"
#include "solver/tangential/second_order/edge_ops.h"
#include "solver/tangential/slip_operator.h"

namespace slipfield {

template <SolverBackend Backend>
class RollingLoss final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  RollingLoss(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        creeps_(creeps(problem)),
        by_patches_(problem.patches.exist()),
        loss_(1),
        at_end_(1) {}

  void report(const StepInput& step, StepMeasures& found, StepReport& report) override {
    const double direction = step.tangential.direction;
    along_y_ = rolls_along_y(direction);
    if (!is_rolling(step.tangential.problem) || !(along_y_ || rolls_along_x(direction))) return;
    const bool steady = step.tangential.problem == TangentialProblem::steady_rolling;
    const bool at_end = reaches_end(1) || reaches_end(-1);
    // The memory that creeping bodies have of earlier steps is unknown beyond the end.
    if (at_end && creeps_ && !steady) return;
    towards_ = rolls_forwards(direction) ? 1 : -1;
    StepFields fields = model_.fields;
    if (at_end) apply_changes();  // by the tractions of the step
    if (!(found.residuals.bound1 > 0.0)) {
      model_.form_tractions_per_friction();
      fields.traction_x = model_.scratch_x.data();
      fields.traction_y = model_.scratch_y.data();
    }
    if (at_end) {
      report.given_to_bodies =
          loss_at_end(fields.traction_x, 0) + loss_at_end(fields.traction_y, 1);
      if (steady) report.surface.rolling_resistance = loss_at_end(fields.pressure, 2);
      return;
    }
    report.given_to_bodies = loss(fields.traction_x, fields.displacement_x) +
                             loss(fields.traction_y, fields.displacement_y);
    if (steady) report.surface.rolling_resistance = loss(fields.pressure, smooth_displacement());
  }

 private:
  using StepPart<Backend>::model_;
  using Fields = std::array<Array<double>, kDirections>;

  [[nodiscard]] double spacing() const { return along_y_ ? model_.grid.dy : model_.grid.dx; }

  [[nodiscard]] bool reaches_end(int ahead) {
    const Grid& whole = model_.whole;
    model_.run(CountAtEnd{.line = {whole.mx, whole.my, along_y_, ahead},
                          .state = model_.fields.state,
                          .out = at_end_.data(),
                          .first = whole.index(0, model_.rows.first)});
    return model_.backend.read(at_end_) > 0.0;
  }

  // The weights of patches make the displacement by the pressure jump from patch to patch. It does
  // not count there: weights that are equal in both directions and even coefficients give no loss.
  const double* smooth_displacement() {
    if (!by_patches_) return model_.fields.displacement_n;
    allocate(part_[0]);
    model_.influence.apply(Block::normal_from_tangential,
                           {model_.fields.traction_x, model_.fields.traction_y},
                           {.n = part_[0].data()});
    return part_[0].data();
  }

  // -dx dy sum p du/ds, s along the rolling direction, by differences over two elements.
  double loss(const double* traction, const double* displacement) {
    const RowsBeside<Backend> beside(model_.backend, model_.whole, 1);
    Array<double> room_p;
    Array<double> room_u;
    const double* const u = beside.with(displacement, room_u);
    model_.backend.run(beside.grid().count(),
                       SumRollingLoss{along_y_ ? model_.grid.mx : 1, towards_ / (2.0 * spacing()),
                                      beside.with_zeros(traction, room_p), u, u, loss_.data()});
    return -model_.grid.element_area() * model_.backend.read(loss_);
  }

  // The same at a grid's end, where differences would need the field beyond it: by the coefficients
  // one element ahead and one behind. A(x + o) - A(x - o) is the change A(x) - A(x - o) less the
  // change A(x) - A(x + o).
  double loss_at_end(const double* traction, std::size_t direction) {
    model_.run(SumRollingLoss{0, 1.0 / (2.0 * spacing()), traction, behind_[direction].data(),
                              ahead_[direction].data(), loss_.data()});
    return -model_.grid.element_area() * model_.backend.read(loss_);
  }
  void apply_changes() {
    SlipOperator<Backend> beside = model_.slip_operator.beside();
    apply_change(beside, towards_, ahead_);
    apply_change(beside, -towards_, behind_);
    model_.slip_operator.add_products(beside.products());
  }
  void apply_change(SlipOperator<Backend>& beside, int elements, Fields& change) {
    for (Array<double>& field : change) allocate(field);
    for (Array<double>& field : part_) allocate(field);
    const InfluenceKind& now = model_.influence.kind();
    InfluenceKind kind{Displacement::change, along_y_ ? 0.0 : elements * spacing(),
                       along_y_ ? elements * spacing() : 0.0};
    kind.memory = now.memory;
    kind.layers = now.layers;
    kind.curved = now.curved;
    beside.take_up(kind);
    const TractionField all{model_.fields.traction_x, model_.fields.traction_y,
                            model_.fields.pressure};
    beside.apply(Block::normal, all, {.n = change[2].data()});
    beside.apply(Block::tangential, all, {change[0].data(), change[1].data()});
    if (!model_.coupled()) return;
    const DisplacementField part{part_[0].data(), part_[1].data(), part_[2].data()};
    beside.apply(Block::normal_from_tangential, all, part);
    beside.apply(Block::tangential_from_normal, all, part);
    for (std::size_t k = 0; k < change.size(); ++k)
      model_.run(AddFields{change[k].data(), part_[k].data(), change[k].data()});
  }
  void allocate(Array<double>& field) {
    if (field.size() == 0) field = Array<double>(model_.count);
  }

  bool creeps_;
  bool by_patches_;
  bool along_y_ = false;
  int towards_ = 1;  // along the axis
  Array<double> loss_;
  Array<double> at_end_;
  Fields ahead_, behind_, part_;
};

}  // namespace slipfield
