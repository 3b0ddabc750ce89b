// SPDX-License-Identifier: Apache-2.0
#include "solver/gradient/batch_fields.h"

#include <cmath>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_influence.h"
#include "solver/geometry.h"
#include "solver/step/rigid_motion.h"

namespace slipfield {
namespace {

// Adds the slip of a step of steady rolling, and the traction bound that belongs to it.
void add_slip(const ContactProblem& problem, const StepReport& report, CpuBackend& backend,
              ContactSolution& solution) {
  const StepInput& step = problem.steps.front();
  const Tangential& t = step.tangential;
  const std::size_t count = problem.grid.count();
  const double distance = slip_distance(t);
  InfluenceKind kind;
  kind.displacement = Displacement::change;
  kind.offset_x = distance * std::cos(t.direction);
  kind.offset_y = distance * std::sin(t.direction);
  CpuInfluence change(backend, problem.grid, contact_material(problem), problem.solver.influence,
                      kind);
  for (std::vector<double>* field : {&solution.slip_x, &solution.slip_y, &solution.displacement_x,
                                     &solution.displacement_y, &solution.traction_bound})
    field->assign(count, 0.0);
  change.apply(Block::tangential, {solution.traction_x.data(), solution.traction_y.data(), nullptr},
               {solution.slip_x.data(), solution.slip_y.data(), nullptr});
  RigidSlip rigid = first_rigid_slip(t, 0.0, 0.0);
  rigid.x = distance * report.rigid_x;
  rigid.y = distance * report.rigid_y;
  rigid.rotation = distance * report.rotation;
  const ElementCentres centres(problem.grid);
  const SlidingLaw law = sliding_law(step.friction);
  const double rate = slip_rate(t);
  for (std::size_t i = 0; i < count; ++i) {
    if (!(solution.pressure[i] > 0.0)) {
      solution.slip_x[i] = solution.slip_y[i] = 0.0;
      continue;
    }
    solution.slip_x[i] += rigid.at_x(centres.y(i));
    solution.slip_y[i] += rigid.at_y(centres.x(i));
    const bool slips = solution.element_division[i] == ElementState::slip;
    const double velocity = rate * std::hypot(solution.slip_x[i], solution.slip_y[i]);
    const double friction = slips && step.friction.depends_on_slip() ? law.at(velocity) : law.fixed;
    solution.traction_bound[i] = friction * solution.pressure[i];
  }
}

}  // namespace

ContactSolution solution_of_batch(const ContactProblem& problem, const BatchFields& fields,
                                  const StepReport& report) {
  ContactSolution solution;
  solution.pressure = fields.pressure;
  solution.traction_x = fields.traction_x;
  solution.traction_y = fields.traction_y;
  solution.element_division = fields.element_division;
  const CombinedMaterial material = contact_material(problem);
  CpuBackend backend;
  CpuInfluence now(backend, problem.grid, material, problem.solver.influence, {});
  solution.displacement_n.assign(problem.grid.count(), 0.0);
  now.apply(Block::normal, {nullptr, nullptr, solution.pressure.data()},
            {nullptr, nullptr, solution.displacement_n.data()});
  solution.undeformed_distance = undeformed_distance(problem.geometry, problem.grid, material);
  solution.gap = solution.undeformed_distance;
  for (std::size_t i = 0; i < solution.gap.size(); ++i)
    solution.gap[i] += solution.displacement_n[i] - report.approach;
  if (problem.steps.front().tangential.problem != TangentialProblem::none)
    add_slip(problem, report, backend, solution);
  else
    for (std::vector<double>* slip : {&solution.slip_x, &solution.slip_y})
      slip->assign(problem.grid.count(), 0.0);
  return solution;
}

}  // namespace slipfield
