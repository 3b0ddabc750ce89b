// The coefficient of friction of each element, and how it follows the slip from round to round of
// the outer iteration (THEORY.md 5.6, 8.2).
#pragma once

#include <cstddef>
#include <optional>

#include "solver/friction.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/step/friction_ops.h"
#include "solver/step/step_ops.h"

namespace slipfield {

// The coefficients themselves are a field of the step's state, which the caller keeps.
template <class Backend>
class FrictionField {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  FrictionField(Backend& backend, const Grid& grid, Array<double>& coefficients)
      : backend_(backend), grid_(grid), coefficients_(coefficients), change_(1) {}

  // The coefficients of the step before stay where the law stays the same, unless the step asks for
  // another start: what slipped then starts with its sliding coefficient.
  void take_up(const StepInput& step) {
    const Friction& friction = step.friction;
    const FrictionStart start =
        friction.depends_on_slip() ? step.tangential.start : FrictionStart::last;
    const bool same = start == FrictionStart::last && taken_up_ && *taken_up_ == friction;
    carried_over_ = friction.depends_on_slip() && (same || start == FrictionStart::slip);
    if (same) return;
    fill(friction, start == FrictionStart::slip ? sliding_law(friction).at(step.tangential.velocity)
                                                : friction.coefficient);
    taken_up_ = friction;
  }

  // Some coefficients of this step may be those of sliding from its start.
  [[nodiscard]] bool carried_over() const { return carried_over_; }

  void fill_static(const Friction& friction) { fill(friction, friction.coefficient); }

  // The coefficients were restored; they belong to this friction.
  void restored(const Friction& friction) { taken_up_ = friction; }
  void forget() { taken_up_.reset(); }

  // One round: the change of the coefficients that the slip of the fields asks for.
  double follow_slip(const StepInput& step, const StepFields& fields, int round) {
    constexpr int kFreeSteps = 10;
    if (wanted_.size() == 0) wanted_ = Array<double>(grid_.count());
    const bool falls = step.friction.law != FrictionLaw::constant;
    FollowSlip op;
    op.law = sliding_law(step.friction);
    op.rate = falls ? step.tangential.velocity / step.tangential.step : 0.0;
    op.relaxed = falls;
    op.only_down = !falls && round > kFreeSteps;  // alternating elements would never settle
    op.escapes = round > kFreeSteps;  // before, distances also grow where a border still moves
    op.first = round == 1;
    op.f = fields;
    op.friction = coefficients_.data();
    op.wanted = wanted_.data();
    op.out = change_.data();
    backend_.run(grid_.count(), op);
    backend_.run(grid_.count(),
                 TakeFriction{op.law, wanted_.data(), change_.data(), coefficients_.data()});
    return backend_.read(change_).change;
  }

 private:
  // Where the coefficient varies over the grid, with its static values.
  void fill(const Friction& friction, double coefficient) {
    if (friction.varies()) {
      backend_.upload(static_coefficients(friction, grid_), coefficients_);
    } else {
      backend_.run(grid_.count(), FillField{coefficient, coefficients_.data()});
    }
  }

  Backend& backend_;
  Grid grid_;
  Array<double>& coefficients_;
  Array<double> wanted_;  // made on first use
  Array<FrictionChange> change_;
  std::optional<Friction> taken_up_;
  bool carried_over_ = false;
};

}  // namespace slipfield
