// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/force/pitch_search.h"

#include <algorithm>
#include <cmath>

namespace slipfield {
namespace {

constexpr int kMostPitches = 60;
constexpr int kMostSlowPitches = 2;
constexpr double kMostOfBound = 0.9999;     // of the friction, where the cubic law is turned round
constexpr double kOvershoot = 1.05;         // so that the force asked for comes to lie between two
constexpr double kLeastGrowth = 1.5;        // of the distance from the start, from pitch to pitch
constexpr double kGreatestGrowth = 4.0;     // likewise
constexpr double kPitchRounding = 1.0e-14;  // of pitches that differ by rounding only

// The linear force, over the friction, that the cubic law of Johnson and Vermeulen cuts off to
// this force: nearly linear in the pitch, where the force itself bends.
double linear_force(double force, double bound) {
  const double part = std::min(std::fabs(force) / bound, kMostOfBound);
  return std::copysign(3.0 * (1.0 - std::cbrt(1.0 - part)), force);
}

class PitchIteration {
 public:
  explicit PitchIteration(const PitchTask& task)
      : task_(task),
        target_(linear_force(task.force, task.bound)),
        slope_(task.stiffness / task.bound),
        pitch_(task.start) {}

  [[nodiscard]] double pitch() const { return pitch_; }

  // False: no pitch is left to try.
  bool learn(double force) {
    const Point here{pitch_, linear_force(force, task_.bound), true};
    const double width = bracket_width();
    (force < task_.force ? low_ : high_) = here;
    if (low_.known && high_.known) {
      slow_ = width > 0.0 && bracket_width() > 0.5 * width ? slow_ + 1 : 0;
      return divide();
    }
    return reach(here);
  }

 private:
  struct Point {
    double pitch = 0.0;
    double force = 0.0;
    bool known = false;
  };

  [[nodiscard]] double bracket_width() const {
    return low_.known && high_.known ? std::fabs(high_.pitch - low_.pitch) : 0.0;
  }
  // Between two forces that bracket the one asked for: the line, or the middle where that is slow.
  bool divide() {
    if (bracket_width() <= kPitchRounding * std::fabs(pitch_)) return false;
    const double part = (target_ - low_.force) / (high_.force - low_.force);
    const bool halves = slow_ > kMostSlowPitches || !(part > 0.0 && part < 1.0);
    if (halves) slow_ = 0;
    pitch_ = low_.pitch + (halves ? 0.5 : part) * (high_.pitch - low_.pitch);
    return true;
  }
  // Farther out, by the slope between the last two.
  bool reach(const Point& here) {
    const double from_start = here.pitch - task_.start;
    if (std::fabs(from_start) >= task_.farthest) return false;
    if (last_.known && last_.pitch != here.pitch) {
      const double slope = (here.force - last_.force) / (here.pitch - last_.pitch);
      if (slope > 0.0) slope_ = slope;
    }
    last_ = here;
    double next = from_start + kOvershoot * (target_ - here.force) / slope_;
    const double direction = low_.known ? 1.0 : -1.0;
    if (from_start != 0.0) {
      const double size = std::fabs(from_start);
      next = direction * std::clamp(direction * next, kLeastGrowth * size, kGreatestGrowth * size);
    }
    pitch_ = task_.start + std::clamp(next, -task_.farthest, task_.farthest);
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
  return best;
}

}  // namespace slipfield
