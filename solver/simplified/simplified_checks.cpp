// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/simplified_checks.h"

#include <algorithm>
#include <cmath>

#include "solver/number_text.h"
#include "solver/rolling.h"
#include "solver/simplified/simplified_paraboloid.h"

namespace slipfield {
namespace {

constexpr const char* kField = "solver.tangential";

std::string theory(const ContactProblem& problem) {
  return problem.solver.tangential == TangentialMethod::fastrip ? "fastrip " : "fastsim ";
}

// kpec and analyn take what is no ellipse, but not what has no end.
void check_saddle(const ContactProblem& problem, FaultList& faults) {
  const NormalMethod normal = problem.solver.normal;
  if (normal != NormalMethod::kpec && normal != NormalMethod::analyn) return;
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (!paraboloid) return;
  const double least = std::min(paraboloid->curvature_x, paraboloid->curvature_y);
  if (least >= 0.0) return;
  faults.add("geometry",
             "has the curvature " + number_text(least) + " along " +
                 (least < paraboloid->curvature_x ? "y" : "x") +
                 ": a saddle or a hollow, whose contact has no end",
             "curvatures >= 0 with normal = kpec or analyn");
}

}  // namespace

bool check_simplified(const ContactProblem& problem, FaultList& faults) {
  const std::size_t before = faults.size();
  const auto refuse = [&](const std::string& what, const std::string& accepted) {
    faults.add(kField, theory(problem) + what, accepted);
  };
  if (problem.grid.boundary == Boundary::periodic)
    refuse("does not solve periodic grids", "grid.boundary = free");
  const NormalMethod normal = problem.solver.normal;
  const bool any_shape = is_estimate(normal) || normal == NormalMethod::bound_cg;
  if ((normal != NormalMethod::automatic && !any_shape) ||
      problem.solver.influence != InfluenceMethod::automatic)
    refuse("takes the pressure from Hertz and uses no influence coefficients",
           "normal = auto, kpec, analyn, sdec or bound_cg, and influence = auto");
  if (any_shape) {
    check_saddle(problem, faults);
    return faults.size() == before;
  }
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (!paraboloid)
    refuse("needs a Hertzian ellipse, and the geometry is not a paraboloid",
           "hertz, sphere, ellipsoid, quadratic, crossed cylinders, or another method");
  else if (paraboloid->twisted || !(paraboloid->curvature_x > 0.0) ||
           !(paraboloid->curvature_y > 0.0))
    refuse("needs a Hertzian ellipse along x and y",
           "a geometry with xx > 0, yy > 0 and xy = 0, or another method");
  return faults.size() == before;
}

void check_simplified_step(const ContactProblem& problem, const StepInput& step,
                           const std::string& at, FaultList& faults) {
  const auto refuse = [&](const std::string& what, const std::string& accepted) {
    faults.add(kField, theory(problem) + what + at, accepted);
  };
  const Tangential& tangential = step.tangential;
  if (tangential.problem != TangentialProblem::steady_rolling)
    return refuse("solves steady rolling only",
                  "problem = steady_rolling in every step, or another method");
  if (!rolls_along_x(tangential.direction))
    return refuse("rolls along x only", "a direction of 0 or 180 degrees, or another method");
  if (std::abs(tangential.step - problem.grid.dx) > 1.0e-9 * problem.grid.dx)
    return refuse("steps from element to element", "a tangential.step of dx, or another method");
  const Friction& friction = step.friction;
  if (friction.varies() || !friction.along_y.empty() || friction.remembers() ||
      (friction.depends_on_slip() && friction.law == FrictionLaw::constant))
    refuse("takes one coefficient of friction, which may fall with the creepage",
           "one coefficient, or another method");
  if (tangential.extra.given() && problem.solver.tangential == TangentialMethod::fastrip)
    refuse("has no slip of single elements, which its strips do not know",
           "no extra_x and extra_y, or tangential = fastsim");
  if (step.normal.control != NormalControl::approach) return;
  if (problem.solver.normal == NormalMethod::sdec)
    return faults.add("solver.normal", "sdec needs a force, for its ellipses are given" + at,
                      "a normal.force, or kpec or analyn");
  if (problem.solver.normal != NormalMethod::automatic) return;
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (paraboloid && !(step.normal.value > paraboloid->lowest))
    refuse("needs a contact, and the approach " + number_text(step.normal.value) +
               " does not reach the geometry's lowest point",
           "an approach of more than " + number_text(paraboloid->lowest) + ", or another method");
}

}  // namespace slipfield
