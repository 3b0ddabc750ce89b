// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/shared_rows.h"

#include "solver/error.h"

namespace slipfield {

void require_for_shared_rows(const ContactProblem& problem, const RowSharers& sharers) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(what + " not computed on " + sharers.all + "; accepted: " + sharers.alone);
  };
  for (const StepInput& step : problem.steps) {
    if (step.tangential.problem != TangentialProblem::none) refuse("friction is");
    if (step.friction.varies() || !step.friction.along_y.empty())
      refuse("friction that varies over the grid is");
  }
  if (problem.layer.yields()) refuse("a layer that yields is");
  if (is_viscoelastic(problem.upper) || is_viscoelastic(problem.lower))
    refuse("viscoelastic bodies are");
  if (problem.influence.exists()) refuse("coefficients of curved surfaces are");
  if (problem.patches.exist()) refuse("patches are");
  if (!problem.surface.empty()) refuse("wear and heat of the surfaces are");
  if (problem.sensitivities) refuse("sensitivities are");
  if (is_simplified(problem.solver.tangential)) refuse("the simplified theory is");
  if (problem.solver.influence == InfluenceMethod::summation) refuse("products by summation are");
  const NormalMethod method = problem.solver.normal;
  if (method == NormalMethod::dense || method == NormalMethod::newton)
    refuse("the normal problem by a direct or Newton method is");
}

Grid slab_of(const Grid& grid, const RowRange& rows) {
  Grid slab = grid;
  slab.my = rows.count;
  slab.y0 = grid.y0 + rows.first * grid.dy;
  return slab;
}

}  // namespace slipfield
