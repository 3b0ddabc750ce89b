// SPDX-License-Identifier: Apache-2.0
// What viscoelastic bodies, and a prescribed moment, go together with.
#include <cmath>
#include <numbers>
#include <string>

#include "solver/check/fault_list.h"
#include "solver/number_text.h"
#include "solver/rolling.h"
#include "solver/simplified/simplified_checks.h"

namespace slipfield {
namespace {

bool is_viscoelastic(const ContactProblem& problem) {
  return is_viscoelastic(problem.upper) || is_viscoelastic(problem.lower);
}

}  // namespace

bool check_creep(const ElasticBody& body, FaultList& faults) {
  const std::size_t before = faults.size();
  for (const CreepTerm& term : body.creep) {
    faults.number("creep.ratio", term.ratio, kCreepRatio);
    faults.number("creep.time", term.time, kCreepTime);
  }
  return faults.size() == before;
}

void check_viscoelastic_methods(const ContactProblem& problem, FaultList& faults) {
  if (!is_viscoelastic(problem)) return;
  const SolverSettings& settings = problem.solver;
  if (is_simplified(settings.tangential))
    return faults.add("solver.tangential", "the simplified theory has elastic bodies only",
                      "auto, newton, gauss_seidel, direct, or elastic bodies");
  if (settings.normal == NormalMethod::bound_cg || settings.normal == NormalMethod::active_set_cg)
    faults.add("solver.normal",
               "conjugate gradients are for elastic bodies: they need symmetric coefficients, and "
               "viscoelastic bodies lose them when they roll",
               "auto, newton, or direct, in shifts too");
  if (settings.rolling == RollingScheme::second_order)
    faults.add("solver.rolling",
               "second_order knows how tractions begin between elastic bodies only",
               "first_order, or elastic bodies");
}

void check_viscoelastic_step(const ContactProblem& problem, const StepInput& step,
                             const std::string& path, FaultList& faults) {
  if (!is_viscoelastic(problem)) return;
  const Tangential& tangential = step.tangential;
  if (tangential.problem == TangentialProblem::none)
    return faults.add(
        path + "tangential.problem",
        "viscoelastic bodies need a time, which a step without one has not",
        "shift with a duration, rolling with a velocity (friction.coefficient = 0 for "
        "no friction), or elastic bodies");
  if (problem.patches.exist())
    faults.add("patches", "viscoelastic bodies have none", "none, or elastic bodies");
  if (tangential.problem == TangentialProblem::shift) {
    if (problem.grid.boundary == Boundary::periodic)
      faults.add("grid.boundary", "viscoelastic bodies need a free grid",
                 "free, or elastic bodies");
    if (!(tangential.duration > 0.0))
      faults.add(path + "tangential.duration",
                 "missing: how far viscoelastic bodies creep in a shift depends on it",
                 kPositive.describe_one());
    return;
  }
  const double element = element_length(tangential.direction, problem.grid);
  constexpr double kRounding = 1.0e-9;
  if (tangential.problem == TangentialProblem::transient_rolling &&
      std::abs(tangential.step - element) > kRounding * element)
    faults.add(path + "tangential.step",
               "viscoelastic bodies take transient steps of one element, and " +
                   number_text(tangential.step) + " is not " + number_text(element),
               number_text(element) + " (the default), or elastic bodies");
  if (!(tangential.velocity > 0.0))
    faults.add(path + "tangential.velocity",
               "missing: how far viscoelastic bodies roll in a creep time depends on it",
               kPositive.describe_one());
  if (!rolls_along_x(tangential.direction) && !rolls_along_y(tangential.direction))
    faults.add(path + "tangential.direction",
               "viscoelastic bodies roll along x or y, and " +
                   number_text(tangential.direction * 180.0 / std::numbers::pi) +
                   " degrees is between them",
               "0, 90, 180 or 270 degrees, or elastic bodies");
}

void check_moment(const ContactProblem& problem, const StepInput& step, const std::string& path,
                  FaultList& faults) {
  if (!step.tangential.moment || step.tangential.problem == TangentialProblem::none) return;
  const std::string field = path + "tangential.moment";
  const TangentialMethod method = problem.solver.tangential;
  if (method != TangentialMethod::automatic && method != TangentialMethod::newton)
    faults.add(field, "only newton finds the rotation that belongs to a moment",
               "solver.tangential = auto or newton, or a rotation");
  if (problem.grid.boundary == Boundary::periodic)
    faults.add(field, "a periodic grid has no point that a moment could be about",
               "a rotation, or grid.boundary = free");
}

}  // namespace slipfield
