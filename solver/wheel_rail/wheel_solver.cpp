#include "solver/wheel_rail/wheel_solver.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "solver/number_text.h"
#include "solver/wheel_rail/height_search.h"

namespace slipfield {
namespace {

constexpr double kSlowest = 1.0e-6;  // [mm/s]

SolvedPatch solve_patch(const ContactProblem& bodies, ContactPatch patch, const Friction& friction,
                        const SolverMaker& make) {
  const ContactProblem problem = patch_problem(bodies, patch, friction);
  const auto solver = make(problem);
  SolvedPatch solved;
  solved.patch = std::move(patch);
  solved.input = problem.steps.front();
  solved.report = solver->advance(solved.input);
  solved.solution = solver->download();
  return solved;
}

// All contacts at one height.
void solve_contacts(WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
                    const SolverMaker& make, SolvedWheel& wheel) {
  wheel.patches.clear();
  wheel.track_force.setZero();
  WheelRailPosition position = step.position;
  position.wheelset.z = wheel.z;
  for (ContactPatch& patch : search.patches(position)) {
    wheel.patches.push_back(solve_patch(bodies, std::move(patch), step.friction, make));
    wheel.track_force += wheel.patches.back().track_force();
  }
  ++wheel.positions;
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

ContactProblem patch_problem(const ContactProblem& bodies, const ContactPatch& patch,
                             const Friction& friction) {
  ContactProblem problem = bodies;
  problem.grid = patch.grid;
  problem.geometry = {HeightsShape{HeightsOf::distance, patch.distance}};
  StepInput input;
  input.friction = friction;
  input.normal = {NormalControl::approach, patch.penetration};
  const PatchCreepages& creepages = patch.creepages;
  const bool slides = friction.varies() || friction.coefficient > 0.0;
  if (slides && creepages.velocity > kSlowest) {
    Tangential& tangential = input.tangential;
    tangential.problem = TangentialProblem::steady_rolling;
    tangential.x = {TangentialControl::rigid, creepages.x};
    tangential.y = {TangentialControl::rigid, creepages.y};
    tangential.rotation = creepages.spin;
    tangential.direction = creepages.direction;
    tangential.step = patch.grid.dx;
    tangential.velocity = creepages.velocity;
  }
  problem.steps = {std::move(input)};
  return problem;
}

SolvedWheel solve_wheel(WheelRailSearch& search, const ContactProblem& bodies,
                        const WheelStep& step, const SolverMaker& make) {
  const auto start = std::chrono::steady_clock::now();
  SolvedWheel wheel;
  wheel.z = step.position.wheelset.z;
  const auto force_at = [&](double z) {
    wheel.z = z;
    solve_contacts(search, bodies, step, make, wheel);
    return wheel.track_force.z();
  };
  if (step.vertical_force) {
    const HeightResult found = find_height(
        search, step.position, combine(bodies.upper, bodies.lower), *step.vertical_force, force_at);
    if (!found.met) {
      wheel.outcome = Outcome::not_converged;
      wheel.message = "the vertical force jumps over " + number_text(*step.vertical_force) +
                      " N at the height " + number_text(wheel.z) + " mm: it is " +
                      number_text(wheel.track_force.z()) + " N there";
    }
  } else {
    force_at(wheel.z);
  }
  describe_outcome(wheel);
  WheelRailPosition position = step.position;
  position.wheelset.z = wheel.z;
  wheel.nearest = search.nearest(position);
  wheel.wheelset_force =
      place_wheel(position.wheelset).axle.rotation.transpose() * wheel.track_force;
  const Track& track = position.track;
  const double cant = position.side == Side::right ? -track.cant : track.cant;
  for (SolvedPatch& patch : wheel.patches)
    patch.rail_force = turn_x(cant + track.rail_roll).transpose() * patch.track_force();
  wheel.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return wheel;
}

}  // namespace slipfield
