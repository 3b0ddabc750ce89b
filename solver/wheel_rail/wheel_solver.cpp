// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/wheel_solver.h"

#include <chrono>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>
#include <variant>

#include "solver/error.h"
#include "solver/number_text.h"
#include "solver/wheel_rail/force/carried_state.h"
#include "solver/wheel_rail/force/lateral_share.h"
#include "solver/wheel_rail/height_search.h"
#include "solver/wheel_rail/surface/rail_friction.h"
#include "solver/wheel_rail/surface/wheel_surface.h"

namespace slipfield {
namespace {

constexpr double kShiftDuration = 1.0;  // [s]
// Part of the vertical force by which it may be missed where it jumps: what estimates are good to.
constexpr double kGreatestJump = 0.02;

bool by_temperature(const Friction& friction) {
  return std::holds_alternative<FrictionByTemperature>(friction.place);
}

Friction patch_friction(const WheelStep& step, const ContactPatch& patch) {
  if (!step.friction_by_inclination) return step.friction;
  return friction_at(step.friction, contact_inclination(patch, step.position));
}

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

// All contacts at the height wheel.z.
void solve_contacts(WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
                    const SolverMaker& make, SolvedWheel& wheel) {
  wheel.patches.clear();
  wheel.track_force.setZero();
  WheelRailPosition position = step.position;
  position.wheelset.z = wheel.z;
  for (ContactPatch& patch : search.patches(position)) {
    const Friction friction = patch_friction(step, patch);
    wheel.patches.push_back(solve_patch(bodies, std::move(patch), friction, make));
    wheel.track_force += wheel.patches.back().track_force();
  }
  ++wheel.positions;
  ++wheel.complete_solutions;
}

// The patches at one height, whose normal problems are solved first, and their tangential problems
// by the same solvers where the height turns out to be the right one. The simplified theory solves
// both at once, and so does friction by temperatures, which are those of rolling.
class WheelUnderForce final : public LoadedWheel {
 public:
  // All outlive this.
  WheelUnderForce(WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
                  const SolverMaker& make, SolvedWheel& wheel)
      : search_(search),
        bodies_(bodies),
        step_(step),
        make_(make),
        wheel_(wheel),
        at_once_(is_simplified(bodies.solver.tangential) || by_temperature(step.friction)) {}

  double normal_problem(double z) override {
    wheel_.z = z;
    ++wheel_.positions;
    WheelRailPosition position = step_.position;
    position.wheelset.z = z;
    double force = 0.0;
    std::vector<ContactPatch> patches = search_.patches(position);
    normal_starts_ = patches.size() == solvers_.size() ? starts() : Starts();
    wheel_.patches.clear();
    solvers_.clear();
    normal_forces_.clear();
    const bool known = vertical_shares_.size() == patches.size();
    for (std::size_t i = 0; i < patches.size(); ++i) {
      const double normal_force = solve_normal_problem(std::move(patches[i]));
      normal_forces_.push_back(normal_force);
      if (at_once_)
        force += wheel_.patches.back().track_force().z();
      else
        force += normal_force * (known ? vertical_shares_[i] : expected_vertical_share());
    }
    return force;
  }

  double complete() override {
    ++wheel_.complete_solutions;
    wheel_.track_force.setZero();
    vertical_shares_.clear();
    for (std::size_t i = 0; i < solvers_.size(); ++i) {
      SolvedPatch& solved = wheel_.patches[i];
      if (!at_once_ && solved.input.tangential.problem != TangentialProblem::none) {
        // A shift begins without tractions: those at another height are no start.
        if (complete_starts_.size() == solvers_.size() &&
            solved.input.tangential.problem == TangentialProblem::steady_rolling) {
          SolverState state = solvers_[i]->state();
          take_over(complete_starts_[i],
                    {"traction_x", "traction_y", "slip_x", "slip_y", "element_division"},
                    solved.patch.grid, state);
          solvers_[i]->restore(state, solved.input);
        }
        solved.report = solvers_[i]->advance(solved.input);
        solved.solution = solvers_[i]->download();
      }
      const Eigen::Vector3d force = solved.track_force();
      wheel_.track_force += force;
      if (normal_forces_[i] > 0.0) vertical_shares_.push_back(force.z() / normal_forces_[i]);
    }
    complete_starts_ = starts();
    return wheel_.track_force.z();
  }

 private:
  struct Start {
    Grid grid;
    SolverState state;
  };
  using Starts = std::vector<Start>;

  // What the solvers found, as a start at the next height; nothing where the friction varies, as
  // its solution may depend on the start.
  [[nodiscard]] Starts starts() const {
    Starts result;
    if (at_once_ || (step_.friction.varies() && !step_.friction_by_inclination)) return result;
    for (std::size_t i = 0; i < solvers_.size(); ++i)
      result.push_back({wheel_.patches[i].patch.grid, solvers_[i]->state()});
    return result;
  }
  [[nodiscard]] StepInput first_part(const StepInput& input) const {
    StepInput normal = input;
    if (!at_once_) normal.tangential = {};
    return normal;
  }
  // `state` of a solver of the patch with what it has of the start named here.
  static void take_over(const Start& start, std::initializer_list<const char*> names,
                        const Grid& grid, SolverState& state) {
    const auto carried = carried_state(start.state, start.grid, grid);
    if (!carried) return;
    for (const char* name : names)
      if (const auto found = carried->find(name); found != carried->end())
        state[name] = found->second;
  }

  // Of a new patch; its normal force.
  double solve_normal_problem(ContactPatch patch) {
    const ContactProblem problem = patch_problem(bodies_, patch, patch_friction(step_, patch));
    solvers_.push_back(make_(problem));
    const std::size_t i = solvers_.size() - 1;
    if (i < normal_starts_.size()) {
      SolverState state = solvers_.back()->state();
      take_over(normal_starts_[i], {"pressure", "displacement_n"}, patch.grid, state);
      StepInput last = first_part(problem.steps.front());
      last.friction = {};  // the new solver has taken up none
      solvers_.back()->restore(state, last);
    }
    SolvedPatch& solved = wheel_.patches.emplace_back();
    solved.patch = std::move(patch);
    solved.input = problem.steps.front();
    solved.report = solvers_.back()->advance(first_part(solved.input));
    solved.solution = solvers_.back()->download();
    return solved.report.normal_force;
  }

  // F_z of the last patch over its normal force.
  [[nodiscard]] double expected_vertical_share() const {
    const SolvedPatch& solved = wheel_.patches.back();
    const bool rolls = solved.input.tangential.problem != TangentialProblem::none;
    const double across = rolls ? expected_lateral_share(solved.patch, solved.solution.pressure,
                                                         solved.report.normal_force,
                                                         combine(bodies_.upper, bodies_.lower),
                                                         solved.input.friction.coefficient)
                                : 0.0;
    return std::cos(solved.patch.angle) + across * std::sin(solved.patch.angle);
  }

  WheelRailSearch& search_;
  const ContactProblem& bodies_;
  const WheelStep& step_;
  const SolverMaker& make_;
  SolvedWheel& wheel_;
  bool at_once_;
  std::vector<std::unique_ptr<ContactSolver>> solvers_;  // of the patches of wheel_
  std::vector<double> normal_forces_;                    // by their normal problems
  std::vector<double> vertical_shares_;                  // of the last complete solution
  Starts normal_starts_;
  Starts complete_starts_;
};

// Where the gap is least does not depend on the height.
double radius_difference(WheelRailSearch& search, WheelRailPosition position, double radius) {
  position.side = position.side == Side::left ? Side::right : Side::left;
  Track& track = position.track;
  track.rail_y = track.rail_z = track.rail_roll = 0.0;
  if (track.rail_origin) track.rail_origin->front() = -track.rail_origin->front();
  try {
    return radius - search.nearest(position).radius;
  } catch (const InputError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

// About the axle's centre.
Eigen::Vector3d moment_of(const SolvedWheel& wheel, const Eigen::Vector3d& axle) {
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (const SolvedPatch& patch : wheel.patches) {
    const AxesFrame& frame = patch.patch.frame;
    moment += frame.rotation * patch.moment() + (frame.origin - axle).cross(patch.track_force());
  }
  return moment;
}

// The force asked for was not met.
void describe_jump(double force, const HeightResult& found, SolvedWheel& wheel) {
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
    wheel.warning = std::move(text);
    return;
  }
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

Eigen::Vector3d SolvedPatch::moment() const {
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

void describe_position(WheelRailSearch& search, const WheelRailPosition& position,
                       SolvedWheel& wheel) {
  wheel.nearest = search.nearest(position);
  wheel.radius_difference = radius_difference(search, position, wheel.nearest.radius);
}

ContactProblem patch_problem(const ContactProblem& bodies, const ContactPatch& patch,
                             const Friction& friction) {
  ContactProblem problem = bodies;
  problem.grid = patch.grid;
  problem.surface = {};
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
  }
  if (slides && creepages.is_shift) {
    tangential.problem = TangentialProblem::shift;
    if (friction.depends_on_slip()) tangential.duration = kShiftDuration;
  } else if (slides && creepages.velocity > kSlowestRolling) {
    tangential.problem = TangentialProblem::steady_rolling;
    tangential.direction = creepages.direction;
    tangential.step = patch.grid.dx;
    tangential.velocity = creepages.velocity;
  } else if (is_simplified(problem.solver.tangential)) {  // which is one of rolling
    problem.solver = {.influence = bodies.solver.influence, .tolerance = bodies.solver.tolerance};
  }
  if (by_temperature(input.friction)) {
    if (input.tangential.problem == TangentialProblem::none)
      input.friction.place = FrictionEverywhere{};
    else
      problem.surface.heat = bodies.surface.heat;
  }
  problem.steps = {std::move(input)};
  return problem;
}

SolvedWheel solve_wheel(WheelRailSearch& search, const ContactProblem& bodies,
                        const WheelStep& step, const SolverMaker& make) {
  const auto start = std::chrono::steady_clock::now();
  SolvedWheel wheel;
  wheel.z = step.position.wheelset.z;
  if (step.vertical_force) {
    WheelUnderForce loaded(search, bodies, step, make, wheel);
    const HeightResult found = find_height(
        search, step.position, combine(bodies.upper, bodies.lower), *step.vertical_force, loaded);
    if (!found.met) describe_jump(*step.vertical_force, found, wheel);
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
  wheel.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return wheel;
}

}  // namespace slipfield
