// SPDX-License-Identifier: Apache-2.0
// A step's fields as the caller has them: copies of those chosen, or where they lie.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/solution.h"
#include "solver/step/step_model.h"

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
  take(&ContactSolution::pressure, state.pressure);
  take(&ContactSolution::traction_x, state.traction_x);
  take(&ContactSolution::traction_y, state.traction_y);
  take(&ContactSolution::displacement_x, state.displacement_x);
  take(&ContactSolution::displacement_y, state.displacement_y);
  take(&ContactSolution::displacement_n, state.displacement_n);
  take(&ContactSolution::undeformed_distance, model.distance);
  take(&ContactSolution::slip_x, state.slip_x);
  take(&ContactSolution::slip_y, state.slip_y);
  if (chosen.has(&ContactSolution::traction_bound) && !state.has_tangential()) {
    out.traction_bound = backend.download(state.pressure);
    each_element([&](std::size_t i) { out.traction_bound[i] *= model.fields.coefficient; });
  } else {
    take(&ContactSolution::traction_bound, state.bound);
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
  const StepState<Backend>& state = model.state;
  if (field == &ContactSolution::pressure) return state.pressure.data();
  if (field == &ContactSolution::traction_x) return state.traction_x.data();
  if (field == &ContactSolution::traction_y) return state.traction_y.data();
  if (field == &ContactSolution::traction_bound) return state.bound.data();
  if (field == &ContactSolution::displacement_x) return state.displacement_x.data();
  if (field == &ContactSolution::displacement_y) return state.displacement_y.data();
  if (field == &ContactSolution::displacement_n) return state.displacement_n.data();
  if (field == &ContactSolution::undeformed_distance) return model.distance.data();
  if (field == &ContactSolution::slip_x) return state.slip_x.data();
  if (field == &ContactSolution::slip_y) return state.slip_y.data();
  return nullptr;
}

}  // namespace slipfield
