// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/shared_rows.h"

#include <cstddef>
#include <variant>

#include "solver/error.h"
#include "solver/step/step_state.h"

namespace slipfield {

namespace {

// What is not shared out of a step; empty where all of it is.
std::string unshared_part(const StepInput& step) {
  return std::holds_alternative<FrictionByTemperature>(step.friction.place)
             ? "friction that follows the temperature is"
             : "";
}

}  // namespace

void require_for_shared_rows(const ContactProblem& problem, const RowSharers& sharers) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(what + " not computed on " + sharers.all + "; accepted: " + sharers.alone);
  };
  for (const StepInput& step : problem.steps)
    if (const std::string part = unshared_part(step); !part.empty()) refuse(part);
  if (is_viscoelastic(problem.upper) || is_viscoelastic(problem.lower))
    refuse("viscoelastic bodies are");
  if (problem.influence.exists()) refuse("coefficients of curved surfaces are");
  if (sharers.gpus && problem.patches.exist()) refuse("patches are");
  if (!problem.surface.empty()) refuse("wear and heat of the surfaces are");
  if (problem.sensitivities) refuse("sensitivities are");
  const SolverSettings& solver = problem.solver;
  if (is_simplified(solver.tangential)) refuse("the simplified theory is");
  if (solver.influence == InfluenceMethod::summation) refuse("products by summation are");
  if (solver.normal == NormalMethod::dense || solver.normal == NormalMethod::newton)
    refuse("the normal problem by a direct or Newton method is");
  if (solver.tangential == TangentialMethod::dense ||
      solver.tangential == TangentialMethod::gauss_seidel)
    refuse("the tangential problem by a direct method or by gauss_seidel is");
}

std::vector<double> rows_of_field(const Grid& grid, const RowRange& rows,
                                  const std::vector<double>& field) {
  const auto begin = field.begin() + static_cast<std::ptrdiff_t>(grid.index(0, rows.first));
  return {begin, begin + static_cast<std::ptrdiff_t>(grid.index(0, rows.count))};
}

SolverState rows_of_state(const Grid& grid, const RowRange& rows, const SolverState& state) {
  SolverState own;
  for (const auto& [name, values] : state) {
    const bool field = is_field_of_state(name);
    if (field && values.size() != grid.count()) refuse_state(name);
    own[name] = field ? rows_of_field(grid, rows, values) : values;
  }
  return own;
}

}  // namespace slipfield
