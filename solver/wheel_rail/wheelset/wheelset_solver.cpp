// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "solver/error.h"
#include "solver/number_text.h"
#include "solver/wheel_rail/force/wheel_under_force.h"
#include "solver/wheel_rail/height_search.h"
#include "solver/wheel_rail/wheelset/roll_and_pitch.h"

namespace slipfield {
namespace {

constexpr double kEstimatedHeights = 2.0e-5;  // [mm] to which estimated heights agree
constexpr double kSolvedHeights = 4.0e-7;  // [mm] the same for solved ones: about 1e-5 of a force
constexpr double kGreatestRoll = 0.3;      // [rad]
constexpr double kGreatestTurn = 0.02;     // [rad] of the roll in one round
constexpr int kMostRollEstimates = 60;
constexpr int kMostRounds = 15;
// Pitch velocities while the roll is only improved at each; less in another attempt, whose search
// for both begins elsewhere.
constexpr std::array<int, 3> kMostAlone = {8, 4, 2};
// Solutions with a wedged wheel that such a search meets before it gives up: they are deep, so each
// is costly, and the heights, which differ by millimetres, lead the roll away.
constexpr int kMostWedged = 3;
// Relative error of the vertical forces while roll and pitch velocity are found together: the usual
// one would hide what is left of the longitudinal force.
constexpr double kExactForces = 3.0e-6;
// Heights jump if they differ by more than this multiple of what the change of roll explains.
constexpr double kJump = 20.0;
constexpr double kGreatestHeightJump = 5.0e-4;  // [mm] accepted jump: about .01 of a force

std::vector<WheelRailPosition> positions_of(const WheelsetStep& step, const AxlePose& pose) {
  std::vector<WheelRailPosition> positions;
  for (const WheelStep& wheel : step.wheels) {
    positions.push_back(wheel.position);
    positions.back().wheelset.z = pose.z;
    positions.back().wheelset.roll = pose.roll;
  }
  return positions;
}

bool finds_pose(const WheelsetStep& step) {
  return step.geometry_only ? step.touching : step.wheels.front().vertical_force.has_value();
}

// Finds the roll at which both wheels, each at the height that it needs at that roll, have the same
// height: by the secant through the last two rolls, starting with the slope of a wheelset on two
// points. A contact that appears or vanishes makes a height jump; if the secant leaves the bracket
// in which the difference changes sign, the bracket's middle is next.
class RollIteration {
 public:
  // distance: between the wheels across the track.
  RollIteration(double roll, double distance)
      : roll_(roll), distance_(distance), slope_(-distance) {}

  [[nodiscard]] double roll() const { return roll_; }
  // Change of the difference with the roll.
  [[nodiscard]] double slope() const { return slope_; }
  // Continues from another roll; keeps the slope.
  void go_to(double roll) {
    start_again();
    roll_ = roll;
  }
  // difference: height of the right wheel less that of the left one, at roll().
  void learn(double difference) {
    if (known_ && roll_ != last_roll_ && difference != last_difference_) {
      const double slope = (difference - last_difference_) / (roll_ - last_roll_);
      // The slope is meaningless if the differences are rounding.
      if (std::fabs(difference - last_difference_) > kSolvedHeights) slope_ = slope;
    }
    known_ = true;
    last_roll_ = roll_;
    last_difference_ = difference;
    (difference > 0.0 ? low_ : high_) = {roll_, difference};
    roll_ -= std::clamp(difference / slope_, -kGreatestTurn, kGreatestTurn);
    if (brackets() && !(roll_ > low_->roll && roll_ < high_->roll))
      roll_ = 0.5 * (low_->roll + high_->roll);
    if (!(std::fabs(roll_) <= kGreatestRoll))
      throw InputError("no roll of the wheelset within " + number_text(kGreatestRoll) +
                       " rad brings both wheels to their rails; accepted: another position");
  }
  // Call it before another kind of heights is used: keeps the slope found.
  void start_again() {
    known_ = false;
    low_.reset();
    high_.reset();
  }
  // Whether no roll gives both wheels one height because the heights jump.
  [[nodiscard]] bool jumps() const {
    return brackets() &&
           low_->difference - high_->difference > kJump * distance_ * (high_->roll - low_->roll);
  }

 private:
  struct Known {
    double roll;
    double difference;
  };
  // The difference falls with the roll unless something other than the roll changes it more.
  [[nodiscard]] bool brackets() const { return low_ && high_ && low_->roll < high_->roll; }

  double roll_;
  double distance_;  // between the wheels
  double slope_;
  std::optional<Known> low_, high_;  // last rolls with a difference above 0, and not above 0
  bool known_ = false;
  double last_roll_ = 0.0;
  double last_difference_ = 0.0;
};

// Heights that each wheel needs at a roll, estimated before anything is solved.
class EstimatedHeights {
 public:
  EstimatedHeights(std::span<WheelRailSearch> searches, const CombinedMaterial& material,
                   const WheelsetStep& step)
      : searches_(searches), material_(material), step_(step) {}

  [[nodiscard]] double of(std::size_t i, double roll) {
    const WheelStep& wheel = step_.wheels[i];
    WheelRailPosition position = wheel.position;
    position.wheelset.roll = roll;
    if (!step_.geometry_only)
      return estimated_height(searches_[i], position, material_, *wheel.vertical_force);
    position.wheelset.z = 0.0;
    return searches_[i].nearest(position).gap;
  }
  // Finds and returns the common height of both; leaves `iteration` at its roll.
  double settle(RollIteration& iteration) {
    for (int i = 0; i < kMostRollEstimates; ++i) {
      const double left = of(0, iteration.roll());
      const double right = of(1, iteration.roll());
      if (std::fabs(right - left) <= kEstimatedHeights) return 0.5 * (left + right);
      iteration.learn(right - left);
      // An estimate may jump where a contact appears; the solved heights need not.
      if (!step_.geometry_only && iteration.jumps()) return 0.5 * (left + right);
    }
    throw InputError(
        "no roll of the wheelset was found at which both wheels are on their rails; accepted: "
        "another position, or wheelset.z and wheelset.roll");
  }

 private:
  std::span<WheelRailSearch> searches_;
  const CombinedMaterial& material_;
  const WheelsetStep& step_;
};

// Rough distance between the wheels' running circles.
double wheel_distance(const WheelsetStep& step) {
  const Wheelset& set = step.wheels.front().position.wheelset;
  return set.flange_back_distance - 2.0 * set.flange_back_position;
}

AxlePose pose_of_step(const WheelsetStep& step) {
  const Wheelset& set = step.wheels.front().position.wheelset;
  return {set.z, set.roll};
}

// alone: the radius is compared with that of an equal wheel on the other side.
SolvedWheel geometry_of(WheelRailSearch& search, const WheelRailPosition& position, bool alone) {
  SolvedWheel wheel;
  wheel.side = position.side;
  wheel.z = position.wheelset.z;
  wheel.roll = position.wheelset.roll;
  if (alone)
    describe_position(search, position, wheel);
  else
    wheel.nearest = search.nearest(position);
  wheel.flange_angle = search.wheel().flange_angle;
  return wheel;
}

// The cost of discarded solutions, wheel by wheel, and how many of them had a wedged wheel.
class GivenUp {
 public:
  // Throws if too many did.
  void count_wedged(const std::vector<SolvedWheel>& wheels) {
    const auto wheel = std::ranges::find_if(wheels, is_wedged);
    if (wheel == wheels.end() || ++wedged_ <= kMostWedged) return;
    throw InputError(
        "no roll and pitch velocity were found at which the rails carry their forces: " +
        wedged_text(*wheel) + "; accepted: another wheelset.y, or less friction");
  }
  // Adds it to the wheels' own cost; together they are the next to be discarded.
  void count_on(std::vector<SolvedWheel>& wheels) {
    for (std::size_t i = 0; i < wheels.size(); ++i) {
      Cost& cost = costs_.at(i);
      cost.positions = wheels[i].positions += cost.positions;
      cost.complete = wheels[i].complete_solutions += cost.complete;
      cost.seconds = wheels[i].seconds += cost.seconds;
    }
  }

 private:
  struct Cost {
    int positions = 0;
    int complete = 0;
    double seconds = 0.0;
  };
  std::array<Cost, 2> costs_{};
  int wedged_ = 0;
};

RollIteration estimated_roll(std::span<WheelRailSearch> searches, const ContactProblem& bodies,
                             const WheelsetStep& step) {
  RollIteration iteration(0.0, wheel_distance(step));
  EstimatedHeights(searches, combine(bodies.upper, bodies.lower), step).settle(iteration);
  return iteration;
}

// Where the search for the roll of two wheels under forces begins; and each wheel's at that roll.
struct RollStart {
  RollIteration iteration;
  std::array<WheelStart, 2> wheels{};
  bool settled = false;  // the heights agree, or jump
};

// Whether the roll is improved until the wheels' heights agree, or once, to be improved further.
enum class Roll { settled, improved };

// Solves both wheels under their forces at the roll of `start`; returns how much lower the right
// one is than the left one.
double solve_at_roll(std::span<WheelRailSearch> searches, const ContactProblem& bodies,
                     const WheelsetStep& step, const SolverMaker& make, RollStart& start,
                     SolvedWheelset& solved) {
  const double roll = start.iteration.roll();
  solved.wheels.clear();
  for (std::size_t i = 0; i < 2; ++i) {
    WheelStep wheel = step.wheels[i];
    wheel.position.wheelset.roll = roll;
    solved.wheels.push_back(solve_wheel(searches[i], bodies, wheel, make, &start.wheels[i]));
  }
  const double difference = solved.wheels[1].z - solved.wheels[0].z;
  solved.pose = {0.5 * (solved.wheels[0].z + solved.wheels[1].z), roll};
  start.settled = std::fabs(difference) <= kSolvedHeights;
  return difference;
}

// Solves both wheels under their forces, improving the roll.
void solve_under_forces(std::span<WheelRailSearch> searches, const ContactProblem& bodies,
                        const WheelsetStep& step, const SolverMaker& make, Roll until,
                        RollStart& start, SolvedWheelset& solved) {
  RollIteration& iteration = start.iteration;
  iteration.start_again();
  GivenUp given_up;
  double difference = 0.0;
  for (int round = 0; round < kMostRounds; ++round) {
    const double roll = iteration.roll();
    difference = solve_at_roll(searches, bodies, step, make, start, solved);
    given_up.count_on(solved.wheels);
    if (start.settled) return;
    iteration.learn(difference);
    if (until == Roll::improved) return;
    if (!iteration.jumps() || std::fabs(difference) > kGreatestHeightJump) continue;
    start.settled = true;
    std::string& warning = solved.wheels.front().warning;
    warning += (warning.empty() ? "" : "; ") +
               ("the wheels' heights jump at the roll " + number_text(roll) +
                " rad; there they differ by " + number_text(std::fabs(difference)) +
                " mm, each carrying its force");
    return;
  }
  solved.outcome = Outcome::not_converged;
  solved.message = "no roll of the wheelset was found at which both rails carry their forces: at " +
                   number_text(solved.pose.roll) + " rad the heights differ by " +
                   number_text(std::fabs(difference)) + " mm";
}

void describe_outcome(SolvedWheelset& solved) {
  for (const SolvedWheel& wheel : solved.wheels) {
    if (wheel.outcome == Outcome::converged) continue;
    solved.outcome = Outcome::not_converged;
    if (!solved.message.empty()) solved.message += "; ";
    if (solved.wheels.size() == 2)
      solved.message += &wheel == &solved.wheels.front() ? "left wheel: " : "right wheel: ";
    solved.message += wheel.message;
  }
}

// Solves one or two wheels at the axle's pitch velocity or, for one wheel, at that of its
// longitudinal force. start: for two wheels under forces; it may come from another pitch velocity.
void solve_wheels(std::span<WheelRailSearch> searches, const ContactProblem& bodies,
                  const WheelsetStep& step, const SolverMaker& make, Roll until,
                  std::optional<RollStart>& start, SolvedWheelset& solved) {
  if (step.wheels.size() == 2 && finds_pose(step)) {
    if (!start) start = RollStart{estimated_roll(searches, bodies, step)};
    return solve_under_forces(searches, bodies, step, make, until, *start, solved);
  }
  solved.wheels.clear();
  for (std::size_t i = 0; i < step.wheels.size(); ++i)
    solved.wheels.push_back(solve_wheel(searches[i], bodies, step.wheels[i], make));
  solved.pose.z = solved.wheels.front().z;
  if (step.wheels.size() == 1) solved.pose.pitch_velocity = solved.wheels.front().pitch_velocity;
}

// The pitch velocity at which both wheels roll at the mean of their radii, where that of the step
// would roll at the nominal radius: nearly that of a wheelset without longitudinal force and spin.
double pitch_without_slip(std::span<WheelRailSearch> searches, double roll,
                          const WheelsetStep& step) {
  const Wheelset& set = step.wheels.front().position.wheelset;
  if (step.wheels.front().position.shifts) return set.velocity_pitch;
  double sum = 0.0;
  for (std::size_t i = 0; i < step.wheels.size(); ++i) {
    WheelRailPosition position = step.wheels[i].position;
    position.wheelset.roll = roll;
    sum += searches[i].nearest(position).radius;
  }
  return set.velocity_pitch * set.nominal_radius * static_cast<double>(step.wheels.size()) / sum;
}

// [mm] The difference of the heights that each wheel's force, met to its tolerance, leaves open:
// more than kSolvedHeights on a steep flange, which gives way.
double difference_tolerance(const RollStart& start) {
  double tolerance = kSolvedHeights;
  for (const WheelStart& wheel : start.wheels)
    if (wheel.height)
      tolerance =
          std::max(tolerance, kForceTolerance * wheel.height->depth / wheel.height->exponent);
  return tolerance;
}

double falling_slope(const RollStart& start, const WheelsetStep& step) {
  const double slope = start.iteration.slope();
  return slope < 0.0 ? slope : -wheel_distance(step);
}

// Solves both wheels so that their forces along the axle's x add up to that of the step. The roll
// of a wheelset on its treads hardly changes that force: it is improved once at each pitch
// velocity. Where that does not meet both conditions soon, as in flange contact, they are met
// together. Returns false if another attempt, with another number of pitch velocities that are
// tried alone, may succeed.
bool attempt_longitudinal_force(std::span<WheelRailSearch> searches, const ContactProblem& bodies,
                                WheelsetStep step, const SolverMaker& make, int most_alone,
                                GivenUp& given_up, SolvedWheelset& solved) {
  const double force = *step.wheels.front().longitudinal_force;
  for (WheelStep& wheel : step.wheels) wheel.longitudinal_force.reset();
  std::optional<RollStart> start;
  if (finds_pose(step)) start = RollStart{estimated_roll(searches, bodies, step)};
  const WheelRailPosition given = step.wheels.front().position;
  double solved_at =
      pitch_without_slip(searches, start ? start->iteration.roll() : pose_of_step(step).roll, step);
  const auto solve_at = [&](double pitch, Roll until) {
    for (WheelStep& wheel : step.wheels) wheel.position.wheelset.velocity_pitch = pitch;
    solved_at = pitch;
    solved.outcome = Outcome::converged;
    solved.message.clear();
    solve_wheels(searches, bodies, step, make, until, start, solved);
    given_up.count_on(solved.wheels);
    if (start) given_up.count_wedged(solved.wheels);
    return solved.wheels[0].wheelset_force.x() + solved.wheels[1].wheelset_force.x();
  };
  double last = solve_at(solved_at, Roll::improved);
  PitchTask task = pitch_task(force, given, combine(bodies.upper, bodies.lower),
                              {&solved.wheels[0], &solved.wheels[1]});
  task.first = solved_at;
  const auto force_at = [&](double pitch) {
    if (pitch != solved_at) last = solve_at(pitch, Roll::improved);
    return last;
  };
  if (start) task.most = most_alone;
  PitchResult found = find_pitch(task, force_at);
  if (start && task.bound <= std::fabs(force)) {
    found.force = solve_at(found.pitch, Roll::settled);
  } else if (start && !(found.met && start->settled)) {
    if (found.stiffness > 0.0) task.stiffness = found.stiffness;
    for (WheelStart& wheel : start->wheels) wheel.tolerance = kExactForces;
    const AxleTask both{task, difference_tolerance(*start), falling_slope(*start, step)};
    const auto try_at = [&](double roll, double pitch) {
      start->iteration.go_to(roll);
      const double there = solve_at(pitch, Roll::improved);
      return AxleTry{roll, pitch, solved.wheels[1].z - solved.wheels[0].z, there};
    };
    const AxleTry first{solved.pose.roll, found.pitch, solved.wheels[1].z - solved.wheels[0].z,
                        found.force};
    const AxleResult ended = find_roll_and_pitch(both, first, try_at);
    found = {ended.axle.pitch, ended.axle.force, ended.met, found.stiffness};
    if (!found.met) {  // a height may jump, which is accepted if it jumps little
      found.force = solve_at(found.pitch, Roll::settled);
      found.met = std::fabs(found.force - force) <= task.tolerance;
    }
  }
  solved.pose.pitch_velocity = found.pitch;
  for (SolvedWheel& wheel : solved.wheels) wheel.pitch_velocity = found.pitch;
  if (found.met) return true;
  solved.outcome = Outcome::not_converged;
  solved.message +=
      (solved.message.empty() ? "" : "; ") + missed_pitch_text(task, found, given.shifts);
  return !start || task.bound <= std::fabs(force);
}

void solve_under_longitudinal_force(std::span<WheelRailSearch> searches,
                                    const ContactProblem& bodies, const WheelsetStep& step,
                                    const SolverMaker& make, SolvedWheelset& solved) {
  GivenUp given_up;
  for (const int most_alone : kMostAlone)
    if (attempt_longitudinal_force(searches, bodies, step, make, most_alone, given_up, solved))
      return;
}

}  // namespace

AxlePose estimated_pose(std::span<WheelRailSearch> searches, const CombinedMaterial& material,
                        const WheelsetStep& step) {
  AxlePose pose = pose_of_step(step);
  if (!finds_pose(step)) return pose;
  EstimatedHeights heights(searches, material, step);
  if (step.wheels.size() == 1) {
    pose.z = heights.of(0, pose.roll);
    return pose;
  }
  RollIteration iteration(0.0, wheel_distance(step));
  pose.z = heights.settle(iteration);
  pose.roll = iteration.roll();
  return pose;
}

SolvedWheelset solve_wheelset(std::span<WheelRailSearch> searches, const ContactProblem& bodies,
                              const WheelsetStep& step, const SolverMaker& make) {
  SolvedWheelset solved;
  solved.geometry_only = step.geometry_only;
  solved.pose = pose_of_step(step);
  if (step.geometry_only) {
    solved.pose = estimated_pose(searches, combine(bodies.upper, bodies.lower), step);
    const auto positions = positions_of(step, solved.pose);
    for (std::size_t i = 0; i < positions.size(); ++i)
      solved.wheels.push_back(geometry_of(searches[i], positions[i], positions.size() == 1));
  } else if (step.wheels.size() == 2 && step.wheels.front().longitudinal_force &&
             !step.independent_wheels) {
    solve_under_longitudinal_force(searches, bodies, step, make, solved);
  } else {
    std::optional<RollStart> start;
    solve_wheels(searches, bodies, step, make, Roll::settled, start, solved);
  }
  if (solved.wheels.size() == 2) {
    SolvedWheel& left = solved.wheels[0];
    SolvedWheel& right = solved.wheels[1];
    right.radius_difference = right.nearest.radius - left.nearest.radius;
    left.radius_difference = right.radius_difference;
    for (SolvedWheel& wheel : solved.wheels) wheel.is_independent = step.independent_wheels;
  }
  describe_outcome(solved);
  return solved;
}

}  // namespace slipfield
