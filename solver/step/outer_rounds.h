// SPDX-License-Identifier: Apache-2.0
// The rounds in which pressure and tractions act on each other: how far one changed them, and what
// the next one begins with (THEORY.md 8.1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/step/own_rows.h"
#include "solver/step/relaxation.h"
#include "solver/step/step_model.h"
#include "solver/step/step_ops.h"
#include "solver/tangential/anderson_mixing.h"

namespace slipfield {

template <class Backend>
class OuterRounds {
 public:
  OuterRounds() : sums_(1), mixing_(kMixedRounds) {}

  // Of a new step.
  void begin() {
    mixing_ = AndersonMixing(kMixedRounds);
    part_ = 1.0;
    last_ = HUGE_VAL;
  }

  // After a round. When rounds stop bringing the tractions closer, the next one begins with only a
  // part of their change, mixed with the rounds before. Otherwise an element at the edge that
  // friction pushes out of the contact, and that returns without it, would alternate. A change of
  // at most `tolerance` leaves the tractions as found; so does as_found, of the last round or where
  // another relaxation is at work.
  OuterChanges take(StepModel<Backend>& model, int round, bool as_found, double tolerance) {
    auto& state = model.state;
    model.run(OuterChange{model.fields, state.outer_pressure.data(), state.outer_x.data(),
                          state.outer_y.data(), sums_.data()});
    const OuterChanges changes = model.backend.read(sums_);
    const bool closer = changes.all <= (1.0 - 0.5 * part_) * last_;
    if (!as_found && round > kFreeRounds && !closer && part_ > kLeastPart) {
      part_ = std::max(kLeastPart, 0.5 * part_);
      mixing_ = AndersonMixing(kMixedRounds);
    }
    last_ = changes.all;
    begin_next(model, as_found || changes.all <= tolerance ? 1.0 : part_);
    return changes;
  }

 private:
  static constexpr double kLeastPart = 0.1;

  void begin_next(StepModel<Backend>& model, double part) {
    auto& state = model.state;
    const std::size_t count = state.outer_x.size();
    // Rows that are shared out have no vector of all tractions.
    const bool mixes = !kSharesRows<Backend> && part < 1.0 && count <= kMostMixedElements;
    const auto kept = [&] {
      return download_both(model.backend, state.outer_x.data(), state.outer_y.data(), count);
    };
    std::vector<double> before;
    if (mixes) before = kept();
    model.run(BeginRound{model.fields, part, state.outer_pressure.data(), state.outer_x.data(),
                         state.outer_y.data()});
    if (!mixes) return;
    std::vector<double> next = kept();
    mixing_.mix(before, next);
    upload_both(model.backend, next, state.outer_x.data(), state.outer_y.data());
    model.run(CopyField{state.outer_x.data(), state.traction_x.data()});
    model.run(CopyField{state.outer_y.data(), state.traction_y.data()});
  }

  typename Backend::template Array<OuterChanges> sums_;
  AndersonMixing mixing_;
  double part_ = 1.0;
  double last_ = HUGE_VAL;
};

}  // namespace slipfield
