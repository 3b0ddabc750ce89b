// SPDX-License-Identifier: Apache-2.0
// A step that ended with numbers that are not finite.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/step/step_outcome.h"

namespace slipfield {

// Where a field is no longer finite, or a sum over it, that is why the step did not converge.
template <class Model>
void find_broken_field(Model& model, StepReport& report) {
  model.state.visit(model.state, [&](const char* name, const auto& array) {
    if (model.state.broken || array.size() == 0) return;
    const auto values = model.backend.download(array);
    const auto bad = std::find_if(values.begin(), values.end(), [](auto value) {
      return !std::isfinite(static_cast<double>(value));
    });
    if (bad == values.end()) return;
    model.state.broken = true;
    report.message =
        broken_field_text(name, static_cast<std::size_t>(bad - values.begin()), model.grid, report);
  });
  if (model.state.broken || report.history.empty() || std::isfinite(report.history.back().change))
    return;
  model.state.broken = true;
  report.message = broken_change_text(report.history.back());
}

}  // namespace slipfield
