// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/surface/wheel_surface.h"

#include <algorithm>
#include <optional>

#include "solver/surface/surface_fields.h"

namespace slipfield {
namespace {

void add_to(std::optional<double>& sum, const std::optional<double>& part) {
  if (part) sum = sum.value_or(0.0) + *part;
}

void take_greatest(std::optional<double>& greatest, const std::optional<double>& value) {
  if (value) greatest = std::max(greatest.value_or(*value), *value);
}

void add_patch(const SurfaceNumbers& patch, SurfaceNumbers& wheel) {
  add_to(wheel.t_gamma, patch.t_gamma);
  add_to(wheel.t_gamma_spin, patch.t_gamma_spin);
  add_to(wheel.t_gamma_elements, patch.t_gamma_elements);
  add_to(wheel.worn_area, patch.worn_area);
  add_to(wheel.heat_upper, patch.heat_upper);
  add_to(wheel.heat_lower, patch.heat_lower);
  take_greatest(wheel.max_wear_depth, patch.max_wear_depth);
  take_greatest(wheel.max_temperature, patch.max_temperature);
}

}  // namespace

void add_wheel_surface(const ContactProblem& bodies, SolvedWheel& wheel) {
  const SurfaceRequest& request = bodies.surface;
  if (request.empty()) return;
  wheel.surface = {};
  if (request.wear) {
    wheel.surface.t_gamma = wheel.surface.t_gamma_spin = wheel.surface.t_gamma_elements = 0.0;
    wheel.surface.worn_area = wheel.surface.max_wear_depth = 0.0;
  }
  if (request.heat) wheel.surface.heat_upper = wheel.surface.heat_lower = 0.0;
  for (SolvedPatch& solved : wheel.patches) {
    ContactProblem problem = bodies;
    problem.grid = solved.patch.grid;
    if (solved.input.tangential.problem == TangentialProblem::none) {
      problem.surface.wear.reset();
      problem.surface.heat.reset();
    }
    add_surface(problem, solved.input, solved.solution, solved.report);
    add_patch(solved.report.surface, wheel.surface);
  }
}

}  // namespace slipfield
