// SPDX-License-Identifier: Apache-2.0
// A step's fields as the caller has them: copies of those chosen, or where they lie.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/solution.h"
#include "solver/step/step_model.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_state.h"

namespace slipfield {

// The chosen fields; those of a tangential problem that there was not yet are zeros.
template <class Backend>
ContactSolution download_step(const StepModel<Backend>& model, const ChosenFields& chosen) {
  const Backend& backend = model.backend;
  const StepState<Backend>& state = model.state;
  const std::size_t count = model.count;
  const auto each_element = [&](const auto& element) {
#pragma omp parallel for if (count >= kLeastForThreads)
    for (std::size_t i = 0; i < count; ++i) element(i);
  };
  ContactSolution out;
  const auto take = [&](ChosenFields::Field field, const auto& array) {
    if (!chosen.has(field)) return;
    out.*field = array.size() != 0 ? backend.download(array) : std::vector<double>(count);
  };
  using State = StepState<Backend>;
  for (const auto& field : State::fields()) {
    const bool exists = (state.*field.array).size() != 0 || !State::is_of_problem(field.needed);
    if (field.result != nullptr && exists) take(field.result, state.*field.array);
  }
  take(&ContactSolution::undeformed_distance, model.undeformed());
  if (chosen.has(&ContactSolution::traction_bound) && !state.has_tangential()) {
    out.traction_bound = backend.download(state.pressure);
    each_element([&](std::size_t i) {
      double& value = out.traction_bound[i];  // the pressure so far
      value = traction_bound(model.fields.strength, model.fields.coefficient, value);
    });
  }
  if (chosen.has(&ContactSolution::gap)) {
    out.gap = backend.download(model.distance);
    const std::vector<double> displacement = backend.download(state.displacement_n);
    each_element(
        [&](std::size_t i) { out.gap[i] = out.gap[i] + displacement[i] - state.approach; });
  }
  if (chosen.has_division()) {
    const std::vector<unsigned char> division = backend.download(state.division);
    out.element_division.resize(count);
    each_element(
        [&](std::size_t i) { out.element_division[i] = static_cast<ElementState>(division[i]); });
  }
  return out;
}

// As ContactSolver::device_values.
template <class Backend>
const double* device_values_of_step(const StepModel<Backend>& model,
                                    std::vector<double> ContactSolution::*field) {
  if (field == &ContactSolution::undeformed_distance) return model.undeformed().data();
  for (const auto& known : StepState<Backend>::fields())
    if (known.result == field) return (model.state.*known.array).data();
  return nullptr;
}

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
  return static_cast<std::size_t>(-model.backend.greatest_of(-static_cast<double>(own)));
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
