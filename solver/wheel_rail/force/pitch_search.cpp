// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/force/pitch_search.h"

#include <algorithm>
#include <cmath>

namespace slipfield {
namespace {

constexpr int kMostPitches = 60;
constexpr int kMostSlowPitches = 2;  // in a row
constexpr double kSlow = 0.5;        // what a pitch leaves at least of the force that was missing
constexpr double kMostOfBound = 0.9999;     // of the friction, where the cubic law is turned round
constexpr double kLeastGrowth = 1.5;        // of steps outwards that are slow
constexpr double kGreatestGrowth = 4.0;     // of steps outwards
constexpr double kPitchRounding = 1.0e-14;  // of pitches that differ by rounding only

// The linear force, over the friction, that the cubic law of Johnson and Vermeulen cuts off to
// this force: nearly linear in the pitch, where the force itself bends.
double linear_force(double force, double bound) {
  const double part = std::min(std::fabs(force) / bound, kMostOfBound);
  return std::copysign(3.0 * (1.0 - std::cbrt(1.0 - part)), force);
}

// By the secant through the last two pitches, within two that bracket the force as soon as there are such.
class PitchIteration {
 public:
  explicit PitchIteration(const PitchTask& task)
      : task_(task),
        target_(linear_force(task.force, task.bound)),
        slope_(task.stiffness / task.bound),
        pitch_(task.start) {
    if (!std::isnan(task.linear_force))
      pitch_ = within(task.start + (target_ * task.bound - task.linear_force) / task.stiffness);
  }

  [[nodiscard]] double pitch() const { return pitch_; }
  [[nodiscard]] double stiffness() const { return slope_ * task_.bound; }

  // False: no pitch is left to try.
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
  // Between two forces that bracket the one asked for; in the middle where the secant is slow or leads out.
  bool divide(double next) {
    const double least = std::min(low_.pitch, high_.pitch);
    const double greatest = std::max(low_.pitch, high_.pitch);
    if (greatest - least <= kPitchRounding * std::fabs(pitch_)) return false;
    const bool halves = slow_ > kMostSlowPitches || !(next > least && next < greatest);
    if (halves) slow_ = 0;
    pitch_ = halves ? least + 0.5 * (greatest - least) : next;
    return true;
  }
  // Farther out.
  bool reach(const Point& here, double next, bool is_slow) {
    if (std::fabs(here.pitch - task_.start) >= task_.farthest) return false;
    const double direction = low_.known ? 1.0 : -1.0;
    double size = std::fabs(next - here.pitch);
    if (const double last = std::fabs(here.pitch - last_.pitch); last_.known && last > 0.0)
      size = std::clamp(size, is_slow ? kLeastGrowth * last : 0.0, kGreatestGrowth * last);
    pitch_ = within(here.pitch + direction * size);
    return pitch_ != here.pitch;
  }

  PitchTask task_;
  double target_;
  double slope_;
  double pitch_;
  Point low_;  // there the force is less
  Point high_;
  Point last_;
  int slow_ = 0;
};

}  // namespace

PitchResult find_pitch(const PitchTask& task, const std::function<double(double)>& force_at) {
  if (!(task.bound > std::fabs(task.force))) return {task.start, force_at(task.start), false};
  PitchIteration iteration(task);
  PitchResult best;
  double last = 0.0;
  for (int i = 0; i < kMostPitches; ++i) {
    last = iteration.pitch();
    const double force = force_at(last);
    if (i == 0 || std::fabs(force - task.force) < std::fabs(best.force - task.force))
      best = {last, force, std::fabs(force - task.force) <= task.tolerance};
    if (best.met || !iteration.learn(force)) break;
  }
  if (best.pitch != last) best.force = force_at(best.pitch);
  best.stiffness = iteration.stiffness();
  return best;
}

}  // namespace slipfield
