// SPDX-License-Identifier: Apache-2.0
// The caller's access to a step's fields, as copies of the chosen ones or by their address, and the
// search for one that is not finite.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/fields/solver_backend.h"
#include "solver/solution.h"
#include "solver/step/step_model.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_state.h"

namespace slipfield {

// The chosen fields; tangential fields not yet allocated are returned as zeros, or empty if the
// choice leaves out zeros.
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
  std::vector<FieldCopy> copies;
  const auto take = [&](ChosenFields::Field field, const auto& array) {
    if (!chosen.has(field)) return;
    if (array.size() != 0)
      copies.push_back({array.data(), &(out.*field)});
    else if (!chosen.leaves_out_zeros())
      out.*field = std::vector<double>(count);
  };
  for (const auto& field : state.fields()) {
    const bool exists = field.array->size() != 0 || field.allocated != Allocated::by_part;
    if (field.result != nullptr && exists) take(field.result, *field.array);
  }
  take(&ContactSolution::undeformed_distance, *model.undeformed);
  const bool bound_is_zero = model.fields.strength == 0.0 && model.fields.coefficient == 0.0;
  const bool forms_bound = chosen.has(&ContactSolution::traction_bound) &&
                           !state.has_tangential() && !(bound_is_zero && chosen.leaves_out_zeros());
  if (forms_bound) copies.push_back({state.pressure.data(), &out.traction_bound});
  const bool forms_gap = chosen.has(&ContactSolution::gap);
  std::vector<double> displacement;
  if (forms_gap) {
    copies.push_back({model.distance.data(), &out.gap});
    copies.push_back({state.displacement_n.data(), &displacement});
  }
  download_fields(backend, copies, count);
  if (forms_bound)
    each_element([&](std::size_t i) {
      double& value = out.traction_bound[i];  // still the pressure here
      value = traction_bound(model.fields.strength, model.fields.coefficient, value);
    });
  if (forms_gap)
    each_element(
        [&](std::size_t i) { out.gap[i] = out.gap[i] + displacement[i] - state.approach; });
  if (chosen.has_division()) {
    const std::vector<unsigned char> division = backend.download(state.division);
    out.element_division.resize(count);
    each_element(
        [&](std::size_t i) { out.element_division[i] = static_cast<ElementState>(division[i]); });
  }
  return out;
}

// Implements ContactSolver::device_values.
template <class Backend>
const double* device_values_of_step(const StepModel<Backend>& model,
                                    std::vector<double> ContactSolution::*field) {
  if (field == &ContactSolution::undeformed_distance) return model.undeformed->data();
  for (const auto& known : model.state.fields())
    if (known.result == field) return known.array->data();
  return nullptr;
}

// Returns the first element of the whole grid at which the field is not finite, or the grid's
// element count if all values are finite.
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

// Explains non-convergence by the first non-finite field or sum.
template <class Backend>
void find_broken_field(StepModel<Backend>& model, StepReport& report) {
  model.state.visit([&](const char* name, const auto& array) {
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
