// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "solver/check/fault_list.h"
#include "solver/geometry/hertz_ellipse.h"

namespace slipfield {
namespace {

constexpr const char* kField = "solver.tangential";

std::string theory(const ContactProblem& problem) {
  return problem.solver.tangential == TangentialMethod::fastrip ? "fastrip " : "fastsim ";
}

// kpec and analyn take contacts that are not elliptic, but not ones without an end.
void check_saddle(const ContactProblem& problem, FaultList& faults) {
  const NormalMethod normal = problem.solver.normal;
  if (normal != NormalMethod::kpec && normal != NormalMethod::analyn) return;
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (!paraboloid) return;
  const double least = std::min(paraboloid->curvature_x, paraboloid->curvature_y);
  if (least >= 0.0) return;
  faults.add(
      "geometry",
      joined("has the curvature ", least, " along ", least < paraboloid->curvature_x ? "y" : "x",
             ": a saddle or a hollow, whose contact has no end"),
      "curvatures >= 0 with normal: kpec or analyn");
}

}  // namespace

void check_simplified(const ContactProblem& problem, FaultList& faults) {
  const auto refuse = [&](const std::string& what, const std::string& accepted) {
    faults.add(kField, theory(problem) + what, accepted);
  };
  const std::size_t before = faults.size();
  if (problem.solver.normal != NormalMethod::automatic) {
    check_saddle(problem, faults);
  } else {
    const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
    if (!paraboloid)
      refuse("needs a Hertzian ellipse, and the geometry is not a paraboloid",
             "hertz, sphere, ellipsoid, quadratic, crossed cylinders, or another method");
    else if (paraboloid->twisted || !(paraboloid->curvature_x > 0.0) ||
             !(paraboloid->curvature_y > 0.0))
      refuse("needs a Hertzian ellipse along x and y",
             "a geometry with xx > 0, yy > 0 and xy = 0, or another method");
  }
  int number = 1;
  for (const StepInput& step : problem.steps) {
    if (faults.size() != before) return;
    check_simplified_step(problem, step, joined(" (step ", number, ")"), faults);
    number += step.repeat;
  }
}

void check_simplified_step(const ContactProblem& problem, const StepInput& step,
                           const std::string& at, FaultList& faults) {
  if (step.normal.control != NormalControl::approach ||
      problem.solver.normal != NormalMethod::automatic)
    return;
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (paraboloid && !(step.normal.value > paraboloid->lowest))
    faults.add(kField,
               joined(theory(problem), "needs a contact, and the approach ", step.normal.value,
                      " does not reach the geometry's lowest point", at),
               joined("an approach of more than ", paraboloid->lowest, ", or another method"));
}

}  // namespace slipfield
