// SPDX-License-Identifier: Apache-2.0
// A wheelset on its track: one wheel of it, or both with one position of the axle (THEORY.md 13.7).
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {

struct WheelsetStep {
  // One wheel, or the left and the right one, which then have the same wheelset and friction, and
  // a vertical force both or neither of them; the longitudinal force of both is that of their sum,
  // unless they are independent.
  std::vector<WheelStep> wheels;
  // Two wheels that turn by themselves: each has a longitudinal force and a pitch velocity of its
  // own.
  bool independent_wheels = false;
  // Nothing is solved: where the wheels are nearest to the rails, at the axle's height or, where
  // `touching`, at the height (of both wheels: and the roll) at which they touch.
  bool geometry_only = false;
  bool touching = false;
  int repeat = 1;  // how often the step runs
};

// Height and roll of the axle, and its pitch velocity where a longitudinal force is given.
struct AxlePose {
  double z = 0.0;
  double roll = 0.0;
  double pitch_velocity = std::numeric_limits<double>::quiet_NaN();
};

struct SolvedWheelset {
  Outcome outcome = Outcome::converged;
  std::string message;  // empty when converged
  AxlePose pose;
  std::vector<SolvedWheel> wheels;  // as of the step
  bool geometry_only = false;
};

// `searches`: of each wheel of the step. Under forces on both wheels the height and the roll of the
// axle are found at which each rail carries its own, to 1e-5; the wheels' roll is not used.
// InputError as solve_wheel(), and where no roll is found.
SolvedWheelset solve_wheelset(std::span<WheelRailSearch> searches, const ContactProblem& bodies,
                              const WheelsetStep& step, const SolverMaker& make);

// The pose by Hertz's theory, and of undeformed bodies the exact one: what is known before anything
// is solved. Without forces that of the step. Errors as solve_wheelset().
AxlePose estimated_pose(std::span<WheelRailSearch> searches, const CombinedMaterial& material,
                        const WheelsetStep& step);

}  // namespace slipfield
