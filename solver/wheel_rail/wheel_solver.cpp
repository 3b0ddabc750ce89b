// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/wheel_solver.h"

#include <Eigen/Geometry>
#include <chrono>
#include <cmath>
#include <utility>
#include <variant>

#include "solver/error.h"
#include "solver/number_text.h"
#include "solver/wheel_rail/conformal/conformal_patch.h"
#include "solver/wheel_rail/force/wheel_under_force.h"
#include "solver/wheel_rail/surface/rail_friction.h"

namespace slipfield {
namespace {

// Distance ahead of an element's centre at which the spin of a rolling step is taken, over dq.
constexpr double kSpinAhead = 1.0 / 6.0;
constexpr double kShiftDuration = 1.0;  // [s]
// Accepted relative error of the vertical force where it jumps: the accuracy of estimates.
constexpr double kGreatestJump = 0.02;

void solve_patch(const ContactProblem& bodies, const WheelStep& step, ContactPatch patch,
                 const SolverMaker& make, bool lattice, SolvedWheel& wheel) {
  const ContactProblem problem = patch_problem(bodies, patch, patch_friction(step, patch));
  const auto solver = make(problem);
  SolvedPatch& solved = wheel.patches.emplace_back();
  solved.patch = std::move(patch);
  solved.input = problem.steps.front();
  continue_from(step, solved, *solver);
  solved.report = solver->advance(solved.input);
  solved.solution = solver->download();
  if (lattice)
    wheel.left.push_back(carried_contact(solved.patch, solved.solution, solver->state()));
}

// Solves all contacts at the height wheel.z.
void solve_contacts(WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
                    const SolverMaker& make, SolvedWheel& wheel) {
  wheel.patches.clear();
  wheel.track_force.setZero();
  WheelRailPosition position = step.position;
  position.wheelset.z = wheel.z;
  for (ContactPatch& patch : solvable_patches(search, bodies, step, position, wheel.warning)) {
    solve_patch(bodies, step, std::move(patch), make, search.settings().lattice, wheel);
    wheel.track_force += wheel.patches.back().track_force();
  }
  ++wheel.positions;
  ++wheel.complete_solutions;
}

// The point of least gap does not depend on the height.
double radius_difference(WheelRailSearch& search, WheelRailPosition position, double radius) {
  const double sign = position.side == Side::right ? 1.0 : -1.0;
  position.side = position.side == Side::left ? Side::right : Side::left;
  Track& track = position.track;
  track.rail_y = track.rail_z = track.rail_roll = 0.0;
  if (track.rail_origin) track.rail_origin->front() = -track.rail_origin->front();
  try {
    return sign * (radius - search.nearest(position).radius);
  } catch (const InputError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

// Moment about the axle's centre.
Eigen::Vector3d moment_of(const SolvedWheel& wheel, const Eigen::Vector3d& axle) {
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (const SolvedPatch& patch : wheel.patches) {
    const AxesFrame& frame = patch.patch.frame;
    moment += frame.rotation * patch.moment() + (frame.origin - axle).cross(patch.track_force());
  }
  return moment;
}

// Reports that the wanted force was not met.
void describe_jump(double force, const HeightResult& found, const SolverSettings& settings,
                   SolvedWheel& wheel) {
  const double there = wheel.track_force.z();
  std::string text;
  if (found.jumps)
    text = "the vertical force jumps from " + number_text(found.below) + " to " +
           number_text(found.above) + " N at the height " + number_text(wheel.z) + " mm, where " +
           number_text(force) + " N are asked for; the result has " + number_text(there) + " N";
  else
    text = "no height was found at which the vertical force is " + number_text(force) +
           " N; it is " + number_text(there) + " N at the height " + number_text(wheel.z) + " mm";
  if (found.jumps && std::fabs(there - force) <= kGreatestJump * force) {
    wheel.warning += (wheel.warning.empty() ? "" : "; ") + text;
    return;
  }
  if (found.jumps && settings.normal == NormalMethod::kpec)
    text +=
        "; the forces of kpec jump where two contacts become one, those of analyn and bound_cg do "
        "not";
  wheel.outcome = Outcome::not_converged;
  wheel.message = std::move(text);
}

void describe_outcome(SolvedWheel& wheel) {
  for (std::size_t i = 0; i < wheel.patches.size(); ++i) {
    const StepReport& report = wheel.patches[i].report;
    if (report.outcome == Outcome::converged) continue;
    wheel.outcome = Outcome::not_converged;
    if (!wheel.message.empty()) wheel.message += "; ";
    wheel.message += "patch " + std::to_string(i + 1) + ": " + report.message;
  }
}

}  // namespace

Eigen::Vector3d SolvedPatch::track_force() const { return patch.frame.rotation * force(); }

Eigen::Vector3d SolvedPatch::force() const {
  if (patch.is_conformal()) return turned_force(patch, solution).force;
  return {report.force_x, report.force_y, report.normal_force};
}

Eigen::Vector3d SolvedPatch::moment() const {
  if (patch.is_conformal()) return turned_force(patch, solution).moment;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  const Grid& grid = patch.grid;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double pressure = solution.pressure[grid.index(ix, iy)];
      sum += Eigen::Vector3d(grid.y(iy) * pressure, -grid.x(ix) * pressure, 0.0);
    }
  sum *= grid.dx * grid.dy;
  sum.z() = report.moment_z;
  return sum;
}

bool is_wedged(const SolvedWheel& wheel) {
  constexpr double kWedged = 10.0;
  return std::fabs(wheel.track_force.y()) > kWedged * std::fabs(wheel.track_force.z());
}

std::string wedged_text(const SolvedWheel& wheel) {
  const double lateral = std::fabs(wheel.track_force.y());
  const double vertical = std::fabs(wheel.track_force.z());
  return std::string("the ") + (wheel.side == Side::left ? "left" : "right") +
         " wheel is wedged: its lateral force of " + number_text(lateral) + " N is " +
         number_text(std::round(lateral / vertical)) + " times its vertical force of " +
         number_text(vertical) + " N";
}

void describe_position(WheelRailSearch& search, const WheelRailPosition& position,
                       SolvedWheel& wheel) {
  wheel.nearest = search.nearest(position);
  wheel.flange_angle = search.wheel().flange_angle;
  wheel.radius_difference = radius_difference(search, position, wheel.nearest.radius);
}

ContactProblem patch_problem(const ContactProblem& bodies, const ContactPatch& patch,
                             const Friction& friction) {
  ContactProblem problem = bodies;
  problem.grid = patch.grid;
  problem.surface = {};
  problem.influence = patch.is_conformal() ? conformal_influence(patch) : CurvedInfluence{};
  problem.geometry = {HeightsShape{HeightsOf::distance, patch.distance}};
  StepInput input;
  input.friction = friction;
  input.normal = {NormalControl::approach, patch.penetration};
  const PatchCreepages& creepages = patch.creepages;
  const bool slides = friction.varies() || friction.coefficient > 0.0;
  Tangential& tangential = input.tangential;
  if (slides && (creepages.is_shift || creepages.velocity > kSlowestRolling)) {
    tangential.x = {TangentialControl::rigid, creepages.x};
    tangential.y = {TangentialControl::rigid, creepages.y};
    tangential.rotation = creepages.spin;
    if (patch.is_conformal()) {
      const double rolled = creepages.rolled > 0.0 ? creepages.rolled : patch.grid.dx;
      const double ahead = creepages.is_shift ? 0.0 : kSpinAhead * rolled;
      tangential.extra = slip_of_rows(patch, std::cos(creepages.direction) * ahead);
    }
  }
  if (slides && creepages.is_shift) {
    tangential.problem = TangentialProblem::shift;
    if (friction.depends_on_slip()) tangential.duration = kShiftDuration;
  } else if (slides && creepages.velocity > kSlowestRolling) {
    tangential.problem = creepages.rolled > 0.0 ? TangentialProblem::transient_rolling
                                                : TangentialProblem::steady_rolling;
    tangential.direction = creepages.direction;
    tangential.step = creepages.rolled > 0.0 ? creepages.rolled : patch.grid.dx;
    tangential.velocity = creepages.velocity;
  } else if (is_simplified(problem.solver.tangential)) {  // which is one of rolling
    problem.solver = {.influence = bodies.solver.influence, .tolerance = bodies.solver.tolerance};
  }
  if (std::holds_alternative<FrictionByTemperature>(input.friction.place)) {
    if (input.tangential.problem == TangentialProblem::none)
      input.friction.place = FrictionEverywhere{};
    else
      problem.surface.heat = bodies.surface.heat;
  }
  problem.steps = {std::move(input)};
  return problem;
}

SolvedWheel solve_wheel(WheelRailSearch& search, const ContactProblem& bodies,
                        const WheelStep& step, const SolverMaker& make, WheelStart* start) {
  const auto begin = std::chrono::steady_clock::now();
  if (step.is_transient() && !search.settings().lattice)
    throw InputError(
        "a step of transient rolling needs contacts on a lattice, which those of this case are "
        "not; accepted: a case that has wheel_rail.problem: transient_rolling in one of its steps "
        "from the start");
  SolvedWheel wheel;
  wheel.side = step.position.side;
  wheel.z = step.position.wheelset.z;
  if (step.vertical_force || step.longitudinal_force) {
    WheelUnderForce loaded(search, bodies, step, make, wheel);
    if (step.vertical_force) {
      if (start) loaded.begin_at(std::move(*start));
      const HeightResult found = find_height(
          search, step.position, combine(bodies.upper, bodies.lower), *step.vertical_force, loaded,
          start ? start->height : std::nullopt, start ? start->tolerance : kForceTolerance);
      if (start) {
        const double tolerance = start->tolerance;
        *start = loaded.start_from_here(found.next);
        start->tolerance = tolerance;
      }
      if (!found.met) describe_jump(*step.vertical_force, found, bodies.solver, wheel);
    } else {
      loaded.normal_problem(wheel.z);
      loaded.complete(Exactness::full);
    }
    if (search.settings().lattice) wheel.left = loaded.left();
    if (!loaded.missed_force().empty()) {
      wheel.outcome = Outcome::not_converged;
      wheel.message += (wheel.message.empty() ? "" : "; ") + loaded.missed_force();
    }
  } else {
    solve_contacts(search, bodies, step, make, wheel);
  }
  describe_outcome(wheel);
  add_wheel_surface(bodies, wheel);
  WheelRailPosition position = step.position;
  position.wheelset.z = wheel.z;
  wheel.roll = position.wheelset.roll;
  describe_position(search, position, wheel);
  const AxesFrame axle = place_wheel(position.wheelset).axle;
  wheel.wheelset_force = axle.rotation.transpose() * wheel.track_force;
  wheel.track_moment = moment_of(wheel, axle.origin);
  const Track& track = position.track;
  const double cant = position.side == Side::right ? -track.cant : track.cant;
  for (SolvedPatch& patch : wheel.patches)
    patch.rail_force = turn_x(cant + track.rail_roll).transpose() * patch.track_force();
  wheel.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return wheel;
}

}  // namespace slipfield
