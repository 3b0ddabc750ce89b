// SPDX-License-Identifier: Apache-2.0
// Bodies whose pressure and tangential tractions affect each other, by K != 0 or curved surfaces
// (THEORY.md 8.1). The rounds are Panagiotopoulos's process: the normal problem with given
// tractions, then the tangential problem with given pressure.
#pragma once

#include "solver/fields/step_ops.h"
#include "solver/number_text.h"
#include "solver/problem.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_part.h"

namespace slipfield {

template <SolverBackend Backend>
class UnlikeBodies final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  UnlikeBodies(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model), adheres_(problem.adhesion.exists()) {}

  void reserve(const StepInput& step) override {
    if (step.tangential.problem != TangentialProblem::none)
      add_to_slip(model_.base_x.data(), model_.base_y.data());
    add_to_displacements();
  }

  // The shear strength may push an element at the edge out of the contact, which then returns
  // without it, from round to round. If rounds with the whole strength do not agree, the strength
  // becomes proportional to the pressure below a pressure of 2 %, then 10 %, of the strength. Of
  // 1200 random steps on coarse grids 190 did not agree with the whole strength, and all with one
  // of these.
  void begin(const StepInput& /*step*/) override { model_.full_strength_pressure = 0.0; }
  bool tries_again(const StepInput& step, Ending ending) override {
    constexpr double kFirst = 0.02;
    constexpr double kLast = 0.1;
    const double strength = step.friction.shear_strength;
    double& pressure = model_.full_strength_pressure;
    if (ending != Ending::no_agreement || strength == 0.0 || pressure >= kLast * strength ||
        adheres_)
      return false;
    pressure = (pressure == 0.0 ? kFirst : kLast) * strength;
    return true;
  }
  void remark(const StepInput& step, StepReport& report) override {
    if (model_.full_strength_pressure > 0.0)
      add_remark(report,
                 "elements at the edge did not settle with the whole shear strength: up to a "
                 "pressure of " +
                     number_text(std::round(100.0 * model_.full_strength_pressure /
                                            step.friction.shear_strength)) +
                     " % of it, it grows in proportion to the pressure");
  }

  void add_needs(RoundNeeds& needs) const override {
    needs.agree = "normal and tangential problem";
    needs.changes = needs.compares = needs.presses = true;
    ++needs.leads;
  }

  const Array<double>& add_to_distance(const Array<double>& h) override {
    displace_normally();
    add(h, model_.scratch_n, model_.scratch_n);
    return model_.scratch_n;
  }

  void add_to_slip(double* x, double* y) override {
    model_.multiply_slip(Block::tangential_from_normal, pressure(), scratch());
    model_.run(AddFields{x, model_.scratch_x.data(), x});
    model_.run(AddFields{y, model_.scratch_y.data(), y});
  }

  void add_to_displacements() override {
    auto& state = model_.state;
    displace_normally();
    add(state.displacement_n, model_.scratch_n, state.displacement_n);
    model_.influence.apply(Block::tangential_from_normal, pressure(), scratch());
    add(state.displacement_x, model_.scratch_x, state.displacement_x);
    add(state.displacement_y, model_.scratch_y, state.displacement_y);
  }

 private:
  using StepPart<Backend>::model_;

  // u_n due to the tractions, in scratch_n.
  void displace_normally() {
    model_.influence.apply(Block::normal_from_tangential,
                           {model_.fields.traction_x, model_.fields.traction_y},
                           {.n = model_.scratch_n.data()});
  }
  [[nodiscard]] TractionField pressure() const { return {.n = model_.fields.pressure}; }
  [[nodiscard]] DisplacementField scratch() const {
    return {model_.scratch_x.data(), model_.scratch_y.data()};
  }
  void add(const Array<double>& a, const Array<double>& b, Array<double>& out) {
    model_.run(AddFields{a.data(), b.data(), out.data()});
  }

  bool adheres_;
};

}  // namespace slipfield
