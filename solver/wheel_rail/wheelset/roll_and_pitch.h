// SPDX-License-Identifier: Apache-2.0
// Roll and pitch velocity of an axle where each of the two conditions for them depends on both, as
// in flange contact (THEORY.md 13.10).
#pragma once

#include <functional>

#include "solver/wheel_rail/force/wheel_under_force.h"

namespace slipfield {

// An axle whose rails carry their forces at a roll and a pitch velocity.
struct AxleTry {
  double roll = 0.0;
  double pitch = 0.0;
  double difference = 0.0;  // [mm] height that the right wheel needs there, less that of the left
  double force = 0.0;       // [N] longitudinal, of both wheels
};

struct AxleTask {
  PitchTask force;              // its start, first and linear_force do not count
  double height_tolerance = 0;  // [mm] of the difference, which is to vanish
  double slope = 0.0;           // [mm] estimate of d(difference)/d(roll), < 0
};

struct AxleResult {
  AxleTry axle;
  bool met = false;
};

using SolveAxle = std::function<AxleTry(double roll, double pitch)>;

// Broyden's method from a try nearby; the last call of solve_at() is at the returned place, the
// best one found.
AxleResult find_roll_and_pitch(const AxleTask& task, const AxleTry& first,
                               const SolveAxle& solve_at);

}  // namespace slipfield
