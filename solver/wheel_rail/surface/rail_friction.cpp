// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/surface/rail_friction.h"

#include <variant>

#include "solver/surface/surface_fields.h"
#include "solver/surface/wear.h"

namespace slipfield {

double contact_inclination(const ContactPatch& patch, const WheelRailPosition& position) {
  const double angle = patch.angle - position.wheelset.roll;
  return position.side == Side::right ? angle : -angle;
}

Friction friction_at(const Friction& over, double inclination) {
  Friction here = over;
  if (std::holds_alternative<FrictionAlongY>(over.place)) {
    const Grid row{1, 1, 0.0, 0.0, 0.0, inclination};  // an element without width at that place
    here.place = FrictionEverywhere{};
    here.coefficient = static_coefficients(over, row).front();
  }
  if (over.along_y.empty()) return here;
  const SlidingLaw law = sliding_law(over, inclination);
  here.along_y.clear();
  here.coefficient = law.fixed;
  here.kinetic = law.kinetic;
  take_numbers(law, here);
  return here;
}

namespace {

// T-gamma does not need a wear request. For contacts on curved surfaces it comes from their
// elements' own motions.
void add_t_gamma(const Grid& grid, SolvedPatch& solved) {
  const bool steady = solved.input.tangential.problem == TangentialProblem::steady_rolling;
  if (!steady || solved.solution.traction_x.size() != grid.count()) return;
  const TGamma found = t_gamma(solved.input, solved.report, grid, solved.solution);
  solved.report.surface.t_gamma = found.total;
  solved.report.surface.t_gamma_spin = found.spin;
}

}  // namespace

void add_wheel_surface(const ContactProblem& bodies, SolvedWheel& wheel) {
  const SurfaceRequest& request = bodies.surface;
  for (SolvedPatch& solved : wheel.patches) {
    add_t_gamma(solved.patch.grid, solved);
    if (request.empty()) continue;
    ContactProblem problem = bodies;
    problem.grid = solved.patch.grid;
    if (solved.input.tangential.problem == TangentialProblem::none) {
      problem.surface.wear.reset();
      problem.surface.heat.reset();
    }
    add_surface(problem, solved.input, solved.solution, solved.report);
  }
}

}  // namespace slipfield
