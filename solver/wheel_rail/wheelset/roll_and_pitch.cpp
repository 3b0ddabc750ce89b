// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/wheelset/roll_and_pitch.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace slipfield {
namespace {

constexpr int kMostTries = 60;
constexpr double kGreatestTurnOfTry = 2.0e-3;  // [rad] of the roll
constexpr double kGreatestForceOfTry = 1.0;    // of the friction, by which the linear force changes
constexpr double kLeastChange = 5.0;           // tolerances: less is rounding, and teaches nothing
constexpr int kMostBeginnings = 2;             // again, with the estimated slopes
constexpr double kLeastPart = 1.0 / 64.0;      // of a step that did not help
constexpr double kByLuck = 20.0;               // tolerances
constexpr double kLeastDeterminant = 1.0e-3;

// Unknowns and misses without units: a unit of an unknown changes its own miss by about one, which
// is the tolerance.
class Broyden {
 public:
  Broyden(const AxleTask& task, const AxleTry& first)
      : task_(task),
        roll_unit_(task.height_tolerance / task.slope),
        pitch_unit_(task.force.tolerance / task.force.stiffness),
        best_(first),
        misses_(misses_of(first)) {}

  [[nodiscard]] const AxleTry& best() const { return best_; }
  [[nodiscard]] bool met() const {
    return std::fabs(best_.difference) <= task_.height_tolerance &&
           std::fabs(best_.force - task_.force.force) <= task_.force.tolerance;
  }
  [[nodiscard]] bool goes_on() const { return part_ >= kLeastPart; }
  // The next place to try.
  [[nodiscard]] AxleTry next() {
    if (std::fabs(jacobian_.determinant()) < kLeastDeterminant) jacobian_.setIdentity();
    step_ = -part_ * (jacobian_.inverse() * misses_);
    const double turn = std::fabs(step_.x() * roll_unit_) / kGreatestTurnOfTry;
    const double pull =
        std::fabs(step_.y()) * task_.force.tolerance / (kGreatestForceOfTry * task_.force.bound);
    step_ /= std::max({1.0, turn, pull});
    AxleTry there;
    there.roll = best_.roll + step_.x() * roll_unit_;
    there.pitch =
        std::clamp(best_.pitch + step_.y() * pitch_unit_, task_.force.start - task_.force.farthest,
                   task_.force.start + task_.force.farthest);
    step_.y() = (there.pitch - best_.pitch) / pitch_unit_;
    return there;
  }
  void learn(const AxleTry& there) {
    const Eigen::Vector2d misses = misses_of(there);
    const Eigen::Vector2d change = misses - misses_;
    if (change.norm() > kLeastChange && step_.squaredNorm() > 0.0)
      jacobian_ += (change - jacobian_ * step_) * step_.transpose() / step_.squaredNorm();
    // The first place was solved less exactly: it may be near by luck.
    const bool helps = misses.norm() < std::max(misses_.norm(), exact_ ? 0.0 : kByLuck);
    exact_ = true;
    // What a step taught that did not help may suffice once.
    part_ = helps ? std::min(1.0, 2.0 * part_) : (failed_ ? 0.5 * part_ : part_);
    failed_ = !helps;
    if (part_ < kLeastPart && begun_again_ < kMostBeginnings) {
      ++begun_again_;
      part_ = 1.0;
      jacobian_.setIdentity();
    }
    if (!helps) return;
    best_ = there;
    misses_ = misses;
  }

 private:
  [[nodiscard]] Eigen::Vector2d misses_of(const AxleTry& at) const {
    return {at.difference / task_.height_tolerance,
            (linear_force(at.force, task_.force.bound) -
             linear_force(task_.force.force, task_.force.bound)) *
                task_.force.bound / task_.force.tolerance};
  }

  const AxleTask& task_;
  double roll_unit_;
  double pitch_unit_;
  AxleTry best_;
  Eigen::Vector2d misses_;
  Eigen::Vector2d step_ = Eigen::Vector2d::Zero();
  Eigen::Matrix2d jacobian_ = Eigen::Matrix2d::Identity();
  double part_ = 1.0;
  bool failed_ = false;  // the last step
  bool exact_ = false;   // what misses_ come from
  int begun_again_ = 0;
};

}  // namespace

AxleResult find_roll_and_pitch(const AxleTask& task, const AxleTry& first,
                               const SolveAxle& solve_at) {
  Broyden search(task, first);
  AxleTry last = first;
  for (int i = 0; i < kMostTries && !search.met() && search.goes_on(); ++i) {
    const AxleTry there = search.next();
    last = solve_at(there.roll, there.pitch);
    search.learn(last);
  }
  const AxleTry& best = search.best();
  if (best.roll == last.roll && best.pitch == last.pitch) return {best, search.met()};
  return {solve_at(best.roll, best.pitch), search.met()};
}

}  // namespace slipfield
