// SPDX-License-Identifier: Apache-2.0
// A wheelset on its track: one of its wheels, or both with a common position of the axle (THEORY.md
// 13.7).
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

struct WheelsetStep {
  // One wheel, or the left and the right one. Two wheels share wheelset and friction, and both or
  // neither have a vertical force; their longitudinal force is that of their sum, unless they are
  // independent.
  std::vector<WheelStep> wheels;
  // Two wheels that rotate independently: each has its own longitudinal force and pitch velocity.
  bool independent_wheels = false;
  // Solves nothing: reports where the wheels are closest to the rails, at the axle's height or, if
  // `touching`, at the height (for two wheels: and the roll) at which they touch.
  bool geometry_only = false;
  bool touching = false;
  int repeat = 1;  // how many times the step runs
};

// Height and roll of the axle, and its pitch velocity if a longitudinal force is given.
struct AxlePose {
  double z = 0.0;
  double roll = 0.0;
  double pitch_velocity = std::numeric_limits<double>::quiet_NaN();
};

struct SolvedWheelset {
  Outcome outcome = Outcome::converged;
  std::string message;  // empty when converged
  AxlePose pose;
  std::vector<SolvedWheel> wheels;  // in the order of the step
  bool geometry_only = false;
};

// searches: one for each wheel of the step. With forces on both wheels it finds the height and the
// roll of the axle at which each rail carries its own force, to 1e-5; the wheels' roll is ignored.
// Throws InputError like solve_wheel(), and if no roll is found.
SolvedWheelset solve_wheelset(std::span<WheelRailSearch> searches, const ContactProblem& bodies,
                              const WheelsetStep& step, const SolverMaker& make);

// An estimate before anything is solved: the pose by Hertz's theory; exact for undeformed bodies.
// Without forces the pose of the step. Throws like solve_wheelset().
AxlePose estimated_pose(std::span<WheelRailSearch> searches, const CombinedMaterial& material,
                        const WheelsetStep& step);

}  // namespace slipfield
