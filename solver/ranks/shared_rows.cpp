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
  const Friction& friction = step.friction;
  if (std::holds_alternative<FrictionByTemperature>(friction.place))
    return "friction that follows the temperature is";
  if (!friction.along_y.empty()) return "a law of friction that differs along y is";
  if (friction.remembers()) return "friction that remembers is";
  return "";
}

}  // namespace

void require_for_shared_rows(const ContactProblem& problem, const RowSharers& sharers) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(what + " not computed on " + sharers.all + "; accepted: " + sharers.alone);
  };
  for (const StepInput& step : problem.steps)
    if (const std::string part = unshared_part(step); !part.empty()) refuse(part);
  if (problem.layer.yields()) refuse("a layer that yields is");
  if (is_viscoelastic(problem.upper) || is_viscoelastic(problem.lower))
    refuse("viscoelastic bodies are");
  if (problem.influence.exists()) refuse("coefficients of curved surfaces are");
  if (problem.patches.exist()) refuse("patches are");
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
  if (solver.rolling == RollingScheme::second_order) refuse("rolling to second order is");
}

std::vector<double> rows_of_field(const Grid& grid, const RowRange& rows,
                                  const std::vector<double>& field) {
  const auto begin = field.begin() + static_cast<std::ptrdiff_t>(grid.index(0, rows.first));
  return {begin, begin + static_cast<std::ptrdiff_t>(grid.index(0, rows.count))};
}

SolverState rows_of_state(const Grid& grid, const RowRange& rows, const SolverState& state) {
  SolverState own;
  for (const auto& [name, values] : state) {
    if (name != kStateNumbers && values.size() != grid.count()) refuse_state(name);
    own[name] = name == kStateNumbers ? values : rows_of_field(grid, rows, values);
  }
  return own;
}

}  // namespace slipfield
