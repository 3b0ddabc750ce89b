// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/force/wheel_under_force.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <variant>

#include "solver/contact_solver.h"
#include "solver/number_text.h"
#include "solver/simplified/kalker_coefficients.h"
#include "solver/simplified/patch_estimate.h"
#include "solver/wheel_rail/force/carried_contacts.h"
#include "solver/wheel_rail/surface/rail_friction.h"

namespace slipfield {

namespace {

constexpr int kMostSlowPitches = 2;         // in a row
constexpr double kSlow = 0.5;               // a slow pitch leaves at least this part of the error
constexpr double kMostOfBound = 0.9999;     // of the friction, for inverting the cubic law
constexpr double kLeastGrowth = 1.5;        // of outward steps that are slow
constexpr double kGreatestGrowth = 4.0;     // of outward steps
constexpr double kPitchRounding = 1.0e-14;  // of pitches that differ by rounding only

}  // namespace

double linear_force(double force, double bound) {
  const double part = std::min(std::fabs(force) / bound, kMostOfBound);
  return std::copysign(3.0 * (1.0 - std::cbrt(1.0 - part)), force);
}

namespace {

// Secant method through the last two pitches, limited to a bracket of the force once there is one.
class PitchIteration {
 public:
  explicit PitchIteration(const PitchTask& task)
      : task_(task),
        target_(linear_force(task.force, task.bound)),
        slope_(task.stiffness / task.bound),
        pitch_(task.start) {
    if (!std::isnan(task.first))
      pitch_ = within(task.first);
    else if (!std::isnan(task.linear_force) && task.stiffness > 0.0)
      pitch_ = within(task.start + (target_ * task.bound - task.linear_force) / task.stiffness);
  }

  [[nodiscard]] double pitch() const { return pitch_; }
  [[nodiscard]] double stiffness() const { return slope_ * task_.bound; }

  // Returns false if there is no pitch left to try.
  bool learn(double force) {
    const Point here{pitch_, linear_force(force, task_.bound), true};
    const double missing = std::fabs(target_ - here.force);
    const bool is_slow = last_.known && missing > kSlow * std::fabs(target_ - last_.force);
    slow_ = is_slow ? slow_ + 1 : 0;
    if (last_.known && last_.pitch != here.pitch) {
      const double slope = (here.force - last_.force) / (here.pitch - last_.pitch);
      if (slope > 0.0) slope_ = slope;
    }
    (force < task_.force ? low_ : high_) = here;
    const double next = here.pitch + (target_ - here.force) / slope_;
    const bool goes_on = low_.known && high_.known ? divide(next) : reach(here, next, is_slow);
    last_ = here;
    return goes_on;
  }

 private:
  struct Point {
    double pitch = 0.0;
    double force = 0.0;
    bool known = false;
  };

  [[nodiscard]] double within(double pitch) const {
    return std::clamp(pitch, task_.start - task_.farthest, task_.start + task_.farthest);
  }
  // Chooses a pitch within the bracket: the secant's, or the middle if the secant is slow or leads
  // outside.
  bool divide(double next) {
    const double least = std::min(low_.pitch, high_.pitch);
    const double greatest = std::max(low_.pitch, high_.pitch);
    if (greatest - least <= kPitchRounding * std::fabs(pitch_)) return false;
    const bool halves = slow_ > kMostSlowPitches || !(next > least && next < greatest);
    if (halves) slow_ = 0;
    pitch_ = halves ? least + 0.5 * (greatest - least) : next;
    return true;
  }
  // Takes an outward step while the force is not bracketed.
  bool reach(const Point& here, double next, bool is_slow) {
    if (std::fabs(here.pitch - task_.start) >= task_.farthest) return false;
    const double direction = low_.known ? 1.0 : -1.0;
    double size = std::fabs(next - here.pitch);
    if (const double last = std::fabs(here.pitch - last_.pitch); last_.known && last > 0.0)
      size = std::clamp(size, is_slow || size == 0.0 ? kLeastGrowth * last : 0.0,
                        kGreatestGrowth * last);
    pitch_ = within(here.pitch + direction * size);
    return pitch_ != here.pitch;
  }

  PitchTask task_;
  double target_;
  double slope_;
  double pitch_;
  Point low_;  // its force is too small
  Point high_;
  Point last_;
  int slow_ = 0;
};

}  // namespace

PitchResult find_pitch(const PitchTask& task, const std::function<double(double)>& force_at,
                       const std::function<bool(double)>& suffices) {
  if (!(task.bound > std::fabs(task.force)))
    return {task.start, force_at(task.start), false, 0.0, task.start, false};
  PitchIteration iteration(task);
  PitchResult best;
  double last = 0.0;
  for (int i = 0; i < task.most; ++i) {
    last = iteration.pitch();
    const double force = force_at(last);
    const bool ends = suffices && suffices(force);
    if (i == 0 || ends || std::fabs(force - task.force) < std::fabs(best.force - task.force))
      best = {last, force, std::fabs(force - task.force) <= task.tolerance};
    best.suffices = ends;
    if (best.met || !iteration.learn(force) || ends) break;
  }
  if (best.pitch != last) best.force = force_at(best.pitch);
  best.stiffness = iteration.stiffness();
  best.next = best.suffices && !best.met ? iteration.pitch() : best.pitch;
  return best;
}

namespace {

constexpr double kSaturated = 3.0;  // linear force over the friction at which everything slips

struct HalfExtent {
  double x = 0.0;
  double y = 0.0;
};

// Mean lateral direction of the tractions, weighted with the pressure, if every element slips as
// creepages and spin drive it.
double sliding_share(const ContactPatch& patch, const std::vector<double>& pressure) {
  const PatchCreepages& creepages = patch.creepages;
  const Grid& grid = patch.grid;
  double across = 0.0;
  double total = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double p = pressure[grid.index(ix, iy)];
      if (!(p > 0.0)) continue;
      const double slip_x = creepages.x - creepages.spin * grid.y(iy);
      const double slip_y = creepages.y + creepages.spin * grid.x(ix);
      const double slip = std::hypot(slip_x, slip_y);
      total += p;
      if (slip > 0.0) across -= p * slip_y / slip;
    }
  return total > 0.0 ? across / total : 0.0;
}

HalfExtent extent_under_pressure(const Grid& grid, const std::vector<double>& pressure) {
  int first_x = grid.mx;
  int last_x = -1;
  int first_y = grid.my;
  int last_y = -1;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (!(pressure[grid.index(ix, iy)] > 0.0)) continue;
      first_x = std::min(first_x, ix);
      last_x = std::max(last_x, ix);
      first_y = std::min(first_y, iy);
      last_y = std::max(last_y, iy);
    }
  if (last_x < 0) return {};
  return {0.5 * grid.dx * (last_x - first_x + 1), 0.5 * grid.dy * (last_y - first_y + 1)};
}

}  // namespace

double expected_lateral_share(const ContactPatch& patch, const std::vector<double>& pressure,
                              double normal_force, const CombinedMaterial& material,
                              double friction_coefficient) {
  const PatchCreepages& creepages = patch.creepages;
  const HalfExtent half = extent_under_pressure(patch.grid, pressure);
  if (!(half.x > 0.0) || !(creepages.velocity > 0.0) || !(friction_coefficient > 0.0)) return 0.0;
  const KalkerCoefficients kalker = kalker_coefficients(half.x / half.y, material.poisson_ratio);
  const double area = half.x * half.y;
  const double stiffness = material.shear_modulus * area;
  const double along = -stiffness * kalker.c11 * creepages.x;
  // When rolling backwards the spin acts on the other side.
  const double spin = creepages.direction == 0.0 ? creepages.spin : -creepages.spin;
  const double across =
      -stiffness * (kalker.c22 * creepages.y + std::sqrt(area) * kalker.c23 * spin);
  const double linear = std::hypot(along, across);
  if (linear == 0.0) return 0.0;
  const double bound = friction_coefficient * normal_force;
  const double u = std::min(linear / bound, kSaturated);
  const double saturated = u * (1.0 - u / 3.0 + u * u / 27.0);
  // Turns from the direction of the linear theory to that of the slip as elements start to slip.
  const double slipping = u * u / (kSaturated * kSaturated);
  const double direction =
      (1.0 - slipping) * across / linear + slipping * sliding_share(patch, pressure);
  return friction_coefficient * saturated * direction;
}

namespace {

constexpr double kLeastDoubt = 0.002;  // of an expected tangential force: it is off by more
// of the distance between two heights, by which what is known there is followed beyond them
constexpr double kFarthestAhead = 1.0;
constexpr double kFarthestBack = 2.0;        // from the latest
constexpr double kLeastApart = 1.0e-5;       // [mm]
constexpr double kPartOfMissing = 0.1;       // of the vertical force, for the longitudinal one
constexpr double kPitchTolerance = 1.0e-5;   // of the longitudinal force, or of a tenth of mu F_n
constexpr double kTypicalKalker = 4.3;       // C11 of a round contact of steel
constexpr double kTypicalCompliance = 1.72;  // 2 - nu of steel, in a shift
// relative to the shift at which all elements slip by the linear theory
constexpr double kFarthestShift = 100.0;

bool by_temperature(const Friction& friction) {
  return std::holds_alternative<FrictionByTemperature>(friction.place);
}

double axle_force(const WheelRailPosition& position, const Eigen::Vector3d& track_force) {
  return (place_wheel(position.wheelset).axle.rotation.transpose() * track_force).x();
}

std::string left_out_text(const ContactRegion& region, double force) {
  return "the contact at y = " + number_text(region.y) +
         " mm is left out: it lies between the elements, where the undeformed bodies overlap by " +
         number_text(-region.least_gap) + " mm, which takes some " + number_text(force) + " N";
}

}  // namespace

Friction patch_friction(const WheelStep& step, const ContactPatch& patch) {
  if (!step.friction_by_inclination) return step.friction;
  return friction_at(step.friction, contact_inclination(patch, step.position));
}

// Friction coefficients that follow the slip continue if the law is that of the step before.
// Otherwise they are reset to those of the step, static if they follow the slip, by giving
// restore() a different friction as the last one.
void continue_from(const WheelStep& step, const SolvedPatch& solved, ContactSolver& solver) {
  if (solved.input.tangential.problem != TangentialProblem::transient_rolling) return;
  const CarriedContacts none;
  StepInput last = solved.input;
  last.tangential = {};
  if (!last.friction.depends_on_slip() || !step.friction_continues) last.friction = {};
  solver.restore(state_to_continue(step.before ? *step.before : none, solved.patch,
                                   solved.input.friction.coefficient, solver.state()),
                 last);
}

std::vector<ContactPatch> solvable_patches(WheelRailSearch& search, const ContactProblem& bodies,
                                           const WheelStep& step, const WheelRailPosition& position,
                                           std::string& warning) {
  warning.clear();
  const std::vector<LatticeBox> touching = step.is_transient() && step.before
                                               ? touching_elements(*step.before)
                                               : std::vector<LatticeBox>();
  std::vector<ContactPatch> patches = search.patches(position, touching);
  if (!is_simplified(bodies.solver.tangential)) return patches;
  const auto estimated = [&](const ContactPatch& patch) {
    return has_estimate(bodies.solver, patch.distance, patch.grid, patch.penetration);
  };
  if (std::all_of(patches.begin(), patches.end(), estimated)) return patches;
  const std::vector<ContactRegion> regions = search.regions(position);
  const CombinedMaterial material = combine(bodies.upper, bodies.lower);
  std::vector<ContactPatch> kept;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (estimated(patches[i])) {
      kept.push_back(std::move(patches[i]));
      continue;
    }
    if (!warning.empty()) warning += "; ";
    warning += left_out_text(regions[i], estimated_force(regions[i], position, material));
  }
  return kept;
}

PitchTask pitch_task(double force, const WheelRailPosition& position,
                     const CombinedMaterial& material,
                     std::initializer_list<const SolvedWheel*> wheels) {
  const double radius = position.wheelset.nominal_radius;
  PitchTask task;
  task.force = force;
  task.start = position.wheelset.velocity_pitch;
  double velocity = 0.0;
  double by_creepage = 0.0;  // the force at the first pitch by the linear theory
  for (const SolvedWheel* wheel : wheels)
    for (const SolvedPatch& solved : wheel->patches) {
      // a b of the ellipse with the contact's area.
      const double product = static_cast<double>(solved.report.elements_contact) *
                             solved.patch.grid.element_area() / std::numbers::pi;
      velocity = std::max(velocity, solved.patch.creepages.velocity);
      const double stiffness = position.shifts ? 4.0 * std::sqrt(product) / kTypicalCompliance
                                               : kTypicalKalker * product;
      task.stiffness += stiffness;
      by_creepage -= stiffness * material.shear_modulus * solved.patch.creepages.x;
      task.bound += solved.input.friction.coefficient * solved.report.normal_force;
    }
  task.tolerance = kPitchTolerance * std::max(std::fabs(force), 0.1 * task.bound);
  task.stiffness *= material.shear_modulus * radius;
  if (position.shifts) {
    task.farthest = kFarthestShift * task.bound / task.stiffness;
  } else {
    task.stiffness /= velocity;
    task.farthest = velocity / radius;  // the wheel is locked, or spins
  }
  task.linear_force = by_creepage;
  return task;
}

std::string missed_pitch_text(const PitchTask& task, const PitchResult& found, bool shifts) {
  const bool possible = std::fabs(task.force) < task.bound;
  return std::string(possible ? "no pitch velocity was found for the longitudinal force "
                              : "no pitch velocity gives the longitudinal force ") +
         number_text(task.force) + " N: mu F_n of all contacts is " + number_text(task.bound) +
         " N, and the result has " + number_text(found.force) + " N at " +
         number_text(found.pitch) + (shifts ? " rad" : " rad/s");
}

WheelUnderForce::WheelUnderForce(WheelRailSearch& search, const ContactProblem& bodies,
                                 const WheelStep& step, const SolverMaker& make, SolvedWheel& wheel)
    : search_(search),
      bodies_(bodies),
      step_(step),
      make_(make),
      wheel_(wheel),
      at_once_(is_simplified(bodies.solver.tangential) || by_temperature(step.friction)),
      from_nothing_(!at_once_ && (step.position.shifts || step.is_transient() ||
                                  step.friction.depends_on_slip() ||
                                  (step.friction.varies() && !step.friction_by_inclination))),
      position_(step.position) {}

void WheelUnderForce::begin_at(WheelStart&& start) {
  complete_starts_ = std::move(start.contacts);
  normal_starts_ = complete_starts_;
  known_ = std::move(start.known);
  pitch_.stiffness = start.pitch_stiffness;
}

WheelStart WheelUnderForce::start_from_here(const HeightStart& height) const {
  WheelStart start;
  start.height = height;
  start.contacts = complete_starts_;
  start.known = known_;
  start.pitch_stiffness = pitch_.stiffness;
  return start;
}

double WheelUnderForce::normal_problem(double z) {
  wheel_.z = z;
  ++wheel_.positions;
  position_.wheelset.z = z;
  if (wheel_.positions == 1) move_known_to(z);
  const std::optional<Known> known = known_at(z);
  if (known && step_.longitudinal_force) position_.wheelset.velocity_pitch = known->pitch;
  std::vector<ContactPatch> patches =
      solvable_patches(search_, bodies_, step_, position_, wheel_.warning);
  if (wheel_.positions > 1) normal_starts_ = starts();
  if (normal_starts_.size() != patches.size()) normal_starts_.clear();
  wheel_.patches.clear();
  solvers_.clear();
  normal_forces_.clear();
  for (ContactPatch& patch : patches)
    normal_forces_.push_back(solve_normal_problem(std::move(patch)));
  const bool is_known = known && known->vertical_shares.size() == patches.size();
  if (step_.longitudinal_force && !at_once_ && known_.empty()) expect_pitch();
  double force = 0.0;
  double tangential = 0.0;  // that is only expected
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const SolvedPatch& solved = wheel_.patches[i];
    if (whole()) {
      force += solved.track_force().z();
    } else if (is_known) {
      force += normal_forces_[i] * known->vertical_shares[i];
    } else {
      const double share = expected_vertical_share(solved);
      force += normal_forces_[i] * share;
      tangential += normal_forces_[i] * std::fabs(share - std::cos(solved.patch.angle));
    }
  }
  doubt_ = force > 0.0 ? kLeastDoubt * tangential / force : 0.0;
  if (whole() && !at_once_) ++wheel_.complete_solutions;
  return force;
}

// Moves what is known from another search, whose roll or pitch velocity differ, so that its last
// height is z. Keeps what it changes by from height to height.
void WheelUnderForce::move_known_to(double z) {
  if (known_.empty()) return;
  const double moved = z - known_.back().z;
  for (Known& known : known_) known.z += moved;
  is_moved_ = true;
}

// Moves what comes from another search to the first complete solution of this one.
void WheelUnderForce::move_known_to(const Known& here) {
  const Known last = known_.back();
  for (Known& known : known_) {
    known.z += here.z - last.z;
    known.pitch += here.pitch - last.pitch;
    for (std::size_t i = 0; i < here.vertical_shares.size(); ++i)
      known.vertical_shares[i] += here.vertical_shares[i] - last.vertical_shares[i];
  }
}

// Follows what is known linearly in the height; empty if nothing is.
std::optional<WheelStart::Known> WheelUnderForce::known_at(double z) const {
  if (known_.empty()) return std::nullopt;
  Known there = known_.back();
  if (known_.size() < 2) return there;
  const Known& before = known_.front();
  const double part =
      std::clamp((z - there.z) / (there.z - before.z), -kFarthestBack, kFarthestAhead);
  for (std::size_t i = 0; i < there.vertical_shares.size(); ++i)
    there.vertical_shares[i] += part * (there.vertical_shares[i] - before.vertical_shares[i]);
  there.pitch += part * (there.pitch - before.pitch);
  return there;
}

// Takes in the complete solution.
void WheelUnderForce::learn_known() {
  if (solvers_.empty()) return;
  Known here{wheel_.z, {}, pitch_.next};
  for (std::size_t i = 0; i < solvers_.size(); ++i) {
    if (!(normal_forces_[i] > 0.0)) return;
    here.vertical_shares.push_back(wheel_.patches[i].track_force().z() / normal_forces_[i]);
  }
  if (!known_.empty() && known_.back().vertical_shares.size() != here.vertical_shares.size())
    known_.clear();
  const bool is_moved = std::exchange(is_moved_, false);
  if (is_moved && !known_.empty()) return move_known_to(here);
  // Two that are close to each other would show no more than their errors.
  std::erase_if(known_,
                [&](const Known& other) { return std::fabs(other.z - here.z) < kLeastApart; });
  if (known_.size() > 1) known_.erase(known_.begin());
  known_.push_back(std::move(here));
}

// Before the first complete solution: the creepages are those at the pitch velocity that has the
// longitudinal force by the linear theory.
void WheelUnderForce::expect_pitch() {
  const PitchTask task = pitch_task(*step_.longitudinal_force, position_,
                                    combine(bodies_.upper, bodies_.lower), {&wheel_});
  if (!(task.bound > std::fabs(task.force)) || !(task.stiffness > 0.0)) return;
  const double missing = linear_force(task.force, task.bound) * task.bound - task.linear_force;
  position_.wheelset.velocity_pitch +=
      std::clamp(missing / task.stiffness, -task.farthest, task.farthest);
  expect_creepages();
}

void WheelUnderForce::expect_creepages() {
  for (SolvedPatch& solved : wheel_.patches)
    solved.patch.creepages = search_.creepages(position_, solved.patch);
}

// Forces at different heights are compared, so all are computed in the same way. With a
// longitudinal force the pitch velocity is not yet known.
void WheelUnderForce::choose_way(const ContactSolver& solver) {
  if (whole_) return;
  const auto* const batched = dynamic_cast<const WholeSteps*>(&solver);
  const bool apart = from_nothing_ || step_.longitudinal_force.has_value();
  whole_ = at_once_ || (!apart && batched != nullptr && batched->solves_whole_steps());
}

double WheelUnderForce::complete(Exactness exactness) {
  for (std::size_t i = 0; i < solvers_.size(); ++i) start_tangential_problem(i);
  if (step_.longitudinal_force) {
    find_longitudinal_force(exactness);
  } else {
    if (!whole() || at_once_) ++wheel_.complete_solutions;
    if (!whole()) solve_tangential_problems();
  }
  sum_forces();
  learn_known();
  complete_starts_ = starts();
  return wheel_.track_force.z();
}

CarriedContacts WheelUnderForce::left() const {
  CarriedContacts contacts;
  for (std::size_t i = 0; i < solvers_.size(); ++i)
    contacts.push_back(
        carried_contact(wheel_.patches[i].patch, wheel_.patches[i].solution, solvers_[i]->state()));
  return contacts;
}

// Starts from the last complete solution; but a shift starts without tractions, because tractions
// at another height are no state from which it could start, and a step of transient rolling starts
// from the step before.
void WheelUnderForce::start_tangential_problem(std::size_t i) {
  SolvedPatch& solved = wheel_.patches[i];
  if (whole()) return;
  if (step_.is_transient()) return continue_from(step_, solved, *solvers_[i]);
  if (solved.input.tangential.problem == TangentialProblem::shift)
    return forget_displacements_by_pressure(i);
  if (complete_starts_.size() != solvers_.size() ||
      solved.input.tangential.problem != TangentialProblem::steady_rolling)
    return;
  SolverState state = solvers_[i]->state();
  take_over(complete_starts_[i],
            {"traction_x", "traction_y", "slip_x", "slip_y", "element_division"}, solved.patch.grid,
            state);
  solvers_[i]->restore(state, solved.input);
}

// A shift moves bodies that were apart before, even if its pressure has already been solved: the
// tangential displacements due to the pressure alone are part of the shift itself.
void WheelUnderForce::forget_displacements_by_pressure(std::size_t i) {
  SolverState state = solvers_[i]->state();
  bool displaced = false;
  for (const char* name : {"displacement_x", "displacement_y"}) {
    const auto found = state.find(name);
    if (found == state.end()) continue;
    for (double& value : found->second) {
      displaced = displaced || value != 0.0;
      value = 0.0;
    }
  }
  if (displaced) solvers_[i]->restore(state, first_part(wheel_.patches[i].input));
}

void WheelUnderForce::solve_tangential_problems() {
  for (std::size_t i = 0; i < solvers_.size(); ++i) {
    SolvedPatch& solved = wheel_.patches[i];
    if (solved.input.tangential.problem == TangentialProblem::none) continue;
    solved.report = solvers_[i]->advance(solved.input);
    solved.solution = solvers_[i]->download();
  }
}

void WheelUnderForce::sum_forces() {
  wheel_.track_force.setZero();
  for (const SolvedPatch& solved : wheel_.patches) wheel_.track_force += solved.track_force();
}

// The solvers' results as a start at the next height; empty if one failed, or if the friction
// varies, since the solution may then depend on the start.
WheelUnderForce::Starts WheelUnderForce::starts() const {
  Starts result;
  // What failed may hold no numbers at all, and would fail from there again.
  for (const SolvedPatch& solved : wheel_.patches)
    if (solved.report.outcome != Outcome::converged) return result;
  if (at_once_ || (step_.friction.varies() && !step_.friction_by_inclination)) return result;
  for (std::size_t i = 0; i < solvers_.size(); ++i)
    result.push_back({wheel_.patches[i].patch.grid, solvers_[i]->state()});
  return result;
}

StepInput WheelUnderForce::first_part(const StepInput& input) const {
  StepInput normal = input;
  if (!whole()) normal.tangential = {};
  return normal;
}

// Replaces the named fields of a solver's `state` by those of the start.
void WheelUnderForce::take_over(const Start& start, std::initializer_list<const char*> names,
                                const Grid& grid, SolverState& state) {
  const auto carried = carried_state(start.state, start.grid, grid);
  if (!carried) return;
  for (const char* name : names)
    if (const auto found = carried->find(name); found != carried->end())
      state[name] = found->second;
}

// Solves the normal problem of a new patch and returns its normal force.
double WheelUnderForce::solve_normal_problem(ContactPatch patch) {
  const ContactProblem problem = patch_problem(bodies_, patch, patch_friction(step_, patch));
  solvers_.push_back(make_(problem));
  choose_way(*solvers_.back());
  const std::size_t i = solvers_.size() - 1;
  if (i < normal_starts_.size()) {
    SolverState state = solvers_.back()->state();
    take_over(normal_starts_[i], {"pressure", "displacement_n"}, patch.grid, state);
    unload_unreachable(patch, state);
    StepInput last = first_part(problem.steps.front());
    last.friction = {};  // the new solver has none
    solvers_.back()->restore(state, last);
  }
  SolvedPatch& solved = wheel_.patches.emplace_back();
  solved.patch = std::move(patch);
  solved.input = problem.steps.front();
  solved.report = solvers_.back()->advance(first_part(solved.input));
  solved.solution = solvers_.back()->download();
  return solved.report.normal_force;
}

// F_z of a patch over its normal force.
double WheelUnderForce::expected_vertical_share(const SolvedPatch& solved) const {
  const bool rolls = solved.input.tangential.problem != TangentialProblem::none;
  const double across = rolls ? expected_lateral_share(solved.patch, solved.solution.pressure,
                                                       solved.report.normal_force,
                                                       combine(bodies_.upper, bodies_.lower),
                                                       solved.input.friction.coefficient)
                              : 0.0;
  return std::cos(solved.patch.angle) + across * std::sin(solved.patch.angle);
}

// Finds the pitch velocity for the longitudinal force, and the solution there. Beyond the friction
// limit there is none, and the solution is that at the given pitch velocity.
void WheelUnderForce::find_longitudinal_force(Exactness exactness) {
  Starts untouched;
  if (from_nothing_)
    for (std::size_t i = 0; i < solvers_.size(); ++i)
      untouched.push_back({wheel_.patches[i].patch.grid, solvers_[i]->state()});
  const auto force_at = [&](double pitch) {
    for (std::size_t i = 0; i < untouched.size(); ++i) {
      solvers_[i]->restore(untouched[i].state, first_part(wheel_.patches[i].input));
      if (step_.is_transient()) continue_from(step_, wheel_.patches[i], *solvers_[i]);
    }
    return longitudinal_force_at(pitch);
  };
  PitchTask task = pitch_task(*step_.longitudinal_force, position_,
                              combine(bodies_.upper, bodies_.lower), {&wheel_});
  if (pitch_.stiffness > 0.0) {  // found at another height
    task.stiffness = pitch_.stiffness;
    task.linear_force = std::numeric_limits<double>::quiet_NaN();
  }
  // At a height that does not carry the vertical force, the longitudinal one need not be met more
  // exactly than that.
  const auto suffices = [&](double force) {
    if (exactness == Exactness::full || !step_.vertical_force) return false;
    const double missing = std::fabs(vertical_ - *step_.vertical_force) / *step_.vertical_force;
    return missing > kForceTolerance &&
           std::fabs(force - task.force) <= kPartOfMissing * missing * task.bound;
  };
  pitch_ = find_pitch(task, force_at, suffices);
  for (std::size_t i = 0; i < solvers_.size(); ++i)
    wheel_.patches[i].solution = solvers_[i]->download();
  wheel_.pitch_velocity = pitch_.pitch;
  missed_ =
      pitch_.met || pitch_.suffices ? "" : missed_pitch_text(task, pitch_, step_.position.shifts);
}

double WheelUnderForce::longitudinal_force_at(double pitch) {
  ++wheel_.complete_solutions;
  position_.wheelset.velocity_pitch = pitch;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < solvers_.size(); ++i) {
    SolvedPatch& solved = wheel_.patches[i];
    solved.patch.creepages = search_.creepages(position_, solved.patch);
    solved.input.tangential =
        patch_problem(bodies_, solved.patch, solved.input.friction).steps.front().tangential;
    solved.report = solvers_[i]->advance(solved.input);
    if (solved.patch.is_conformal()) solved.solution = solvers_[i]->download();
    force += solved.track_force();
  }
  vertical_ = force.z();
  return axle_force(position_, force);
}

}  // namespace slipfield
