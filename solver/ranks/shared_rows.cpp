// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/shared_rows.h"

#include <cstddef>

#include "solver/error.h"
#include "solver/problem_check.h"
#include "solver/step/step_state.h"

namespace slipfield {

void require_for_shared_rows(const ContactProblem& problem, const RowSharers& sharers) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(what + " not computed on " + sharers.all + "; accepted: " + sharers.alone);
  };
  if (sharers.gpus && (is_viscoelastic(problem.upper) || is_viscoelastic(problem.lower)))
    refuse("viscoelastic bodies are");
  if (problem.influence.exists()) refuse("coefficients of curved surfaces are");
  if (const std::string reason = needs_cpu(problem); sharers.gpus && !reason.empty())
    throw InputError(reason + "; accepted: the CPU backend");
  const SolverSettings& solver = problem.solver;
  if (is_simplified(solver.tangential)) refuse("the simplified theory is");
  if (solver.influence == InfluenceMethod::summation) refuse("products by summation are");
  if (solver.normal == NormalMethod::dense) refuse("the normal problem by a direct method is");
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
