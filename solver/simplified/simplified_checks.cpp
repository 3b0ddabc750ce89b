// What the simplified theory takes and what it refuses.
#include <cmath>
#include <string>
#include <variant>

#include "solver/rolling.h"
#include "solver/simplified/simplified_paraboloid.h"
#include "solver/simplified/simplified_solver.h"

namespace slipfield {
namespace {

SimplifiedRefusal refusal(const ContactProblem& problem, const std::string& what,
                          const std::string& accepted) {
  const bool fastrip = problem.solver.tangential == TangentialMethod::fastrip;
  return {(fastrip ? "fastrip " : "fastsim ") + what, accepted};
}

std::optional<SimplifiedRefusal> refuse_step(const ContactProblem& problem, const StepInput& step,
                                             int number) {
  const std::string at = " (step " + std::to_string(number) + ")";
  const Tangential& tangential = step.tangential;
  if (tangential.problem != TangentialProblem::steady_rolling) {
    return refusal(problem, "solves steady rolling only" + at,
                   "problem: steady_rolling in every step, or another method");
  }
  if (!rolls_along_x(tangential.direction)) {
    return refusal(problem, "rolls along x only" + at, "direction 0 or 180, or another method");
  }
  if (std::abs(tangential.step - problem.grid.dx) > 1.0e-9 * problem.grid.dx) {
    return refusal(problem, "steps from element to element" + at,
                   "a tangential.step of dx, or none, or another method");
  }
  if (step.friction.depends_on_slip() || step.friction.varies()) {
    return refusal(problem, "takes one coefficient of friction" + at,
                   "friction: {coefficient: mu}, or another method");
  }
  const bool force_given = tangential.x.control != TangentialControl::rigid ||
                           tangential.y.control != TangentialControl::rigid;
  if (force_given && problem.solver.tangential == TangentialMethod::fastrip) {
    return refusal(problem,
                   "takes creepages only, for its forces jump as an element begins to slip" + at,
                   "a creepage, or tangential: fastsim");
  }
  return std::nullopt;
}

}  // namespace

std::optional<SimplifiedRefusal> refuse_simplified(const ContactProblem& problem) {
  if (problem.grid.boundary == Boundary::periodic) {
    return refusal(problem, "does not solve periodic grids", "grid.boundary: free");
  }
  if (problem.solver.normal != NormalMethod::automatic ||
      problem.solver.influence != InfluenceMethod::automatic) {
    return refusal(problem, "takes the pressure from Hertz and uses no influence coefficients",
                   "normal: auto and influence: auto");
  }
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (!paraboloid) {
    return refusal(problem, "needs a Hertzian ellipse, and the geometry is not a paraboloid",
                   "hertz, sphere, ellipsoid, quadratic, crossed cylinders, or another method");
  }
  if (paraboloid->twisted || !(paraboloid->curvature_x > 0.0) || !(paraboloid->curvature_y > 0.0)) {
    return refusal(problem, "needs a Hertzian ellipse along x and y",
                   "a geometry with xx > 0, yy > 0 and xy = 0, or another method");
  }
  int number = 1;
  for (const StepInput& step : problem.steps) {
    if (auto found = refuse_step(problem, step, number)) return found;
    number += step.repeat;
  }
  return std::nullopt;
}

}  // namespace slipfield
