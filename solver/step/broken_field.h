// SPDX-License-Identifier: Apache-2.0
// Whether the numbers of a step are beyond what doubles hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "solver/solution.h"
#include "solver/step/own_rows.h"
#include "solver/step/step_model.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_state.h"

namespace slipfield {

// The first element of the whole grid where the field is not finite; the grid's count where all
// are.
template <class Backend, class Array>
std::size_t first_not_finite(StepModel<Backend>& model, const Array& array) {
  decltype(model.backend.download(array)) values;
  if (array.size() != 0) values = model.backend.download(array);
  const auto bad = std::find_if(values.begin(), values.end(), [](auto value) {
    return !std::isfinite(static_cast<double>(value));
  });
  const std::size_t own = bad == values.end() ? model.whole.count()
                                              : model.grid.index(0, model.rows.first) +
                                                    static_cast<std::size_t>(bad - values.begin());
  return static_cast<std::size_t>(-greatest_over_sharers(model.backend, -static_cast<double>(own)));
}

// Where a field is no longer finite, or a sum over it, that is why the step did not converge.
template <class Backend>
void find_broken_field(StepModel<Backend>& model, StepReport& report) {
  StepState<Backend>::visit(model.state, [&](const char* name, const auto& array) {
    if (model.state.broken) return;
    const std::size_t first = first_not_finite(model, array);
    if (first == model.whole.count()) return;
    model.state.broken = true;
    report.message = broken_field_text(name, first, model.whole, report);
  });
  if (model.state.broken || report.history.empty() || std::isfinite(report.history.back().change))
    return;
  model.state.broken = true;
  report.message = broken_change_text(report.history.back());
}

}  // namespace slipfield
