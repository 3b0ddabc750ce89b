// SPDX-License-Identifier: Apache-2.0
// Carries the faded tractions of one creep time over a step (THEORY.md 5.13), for the two courses
// that tractions take within a step.
#pragma once

#include <optional>
#include <vector>

#include "solver/material.h"
#include "solver/problem.h"

namespace slipfield {

// P' = kept P + before p + now p' over a step from p to p'; kept + before + now = 1.
struct FadingStep {
  double kept = 0.0;
  double before = 0.0;
  double now = 1.0;
};

// Tractions go linearly from p to p'. times: the step's duration over the creep time, >= 0;
// infinite where creep takes no time.
FadingStep fading_step(double times);

// The relaxation of stress under a displacement that is held from a jump on: a sum of exponentials,
// one for each creep time. The bodies' compliance is that of pressure.
class Relaxation {
 public:
  Relaxation() = default;
  // ratio: the compliance that creep adds, over the instantaneous one; time >= 0.
  explicit Relaxation(const std::vector<CreepTerm>& creep);

  // Tractions go from p to p' in this way. duration >= 0, of the step; time: one of the creep
  // times.
  [[nodiscard]] FadingStep step(double duration, double time) const;

  // The relative error of the force by the linear course: of a displacement that is held in one
  // step after a jump, and of one that grows from zero in one step.
  [[nodiscard]] double held_error(double duration) const;
  [[nodiscard]] double moved_error(double duration) const;

 private:
  struct Mode {
    double rate = 0.0;  // [1/time]
    double part = 0.0;  // of the stress at the jump, > 0
  };
  std::vector<Mode> modes_;
  std::vector<CreepTerm> creep_;  // over the compliance at once; from the longest time on
  double long_term_ = 1.0;        // of the stress at the jump
};

Relaxation relaxation_of(const ElasticBody& upper, const ElasticBody& lower);

// A given shift, rotation or extra slip that is not zero.
bool moves(const Tangential& shift);

// What a step prescribes.
struct StepLoads {
  NormalLoad normal;
  TangentialLoad x, y;
  std::optional<double> moment;
};
StepLoads loads_of(const StepInput& step);

// A shift that leaves the bodies where they are, so that stress relaxes: at the approach of the
// step before and under tangential forces and a moment that are the same as in it, or under its
// normal force without a shift. last: what that step prescribed, if there was one.
bool holds_motion(const StepInput& step, const std::optional<StepLoads>& last);

}  // namespace slipfield
