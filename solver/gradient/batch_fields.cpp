// SPDX-License-Identifier: Apache-2.0
#include "solver/gradient/batch_fields.h"

#include <cmath>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_influence.h"
#include "solver/geometry.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

// The traction bound of a step of steady rolling, by the slip.
std::vector<double> bound_of(const ContactProblem& problem, const ContactSolution& solution) {
  const StepInput& step = problem.steps.front();
  const SlidingLaw law = sliding_law(step.friction);
  const double rate = slip_rate(step.tangential);
  std::vector<double> bound(problem.grid.count(), 0.0);
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const bool slips = solution.element_division[i] == ElementState::slip;
    const double velocity = rate * std::hypot(solution.slip_x[i], solution.slip_y[i]);
    const double friction = slips && step.friction.depends_on_slip() ? law.at(velocity) : law.fixed;
    bound[i] = friction * solution.pressure[i];
  }
  return bound;
}

}  // namespace

ContactSolution solution_of_batch(const ContactProblem& problem, const BatchFields& fields,
                                  const StepReport& report) {
  ContactSolution solution = fields.solution();
  const CombinedMaterial material = contact_material(problem);
  CpuBackend backend;
  CpuInfluence now(backend, problem.grid, material, problem.solver.influence, {});
  solution.displacement_n.assign(problem.grid.count(), 0.0);
  now.apply(Block::normal, {.n = solution.pressure.data()}, {.n = solution.displacement_n.data()});
  solution.undeformed_distance = undeformed_distance(problem.geometry, problem.grid, material);
  solution.gap = solution.undeformed_distance;
  for (std::size_t i = 0; i < solution.gap.size(); ++i)
    solution.gap[i] += solution.displacement_n[i] - report.approach;
  if (problem.steps.front().tangential.problem == TangentialProblem::none) return solution;
  solution.traction_bound = bound_of(problem, solution);
  for (std::vector<double>* along : {&solution.displacement_x, &solution.displacement_y})
    along->assign(problem.grid.count(), 0.0);
  return solution;
}

}  // namespace slipfield
