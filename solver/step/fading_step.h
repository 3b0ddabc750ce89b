// SPDX-License-Identifier: Apache-2.0
// Carries the faded tractions of the creep times over a step (THEORY.md 5.13), depending on how the
// tractions change within the step.
#pragma once

#include <array>
#include <cstddef>
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

// The coefficients if tractions change linearly from p to p'. times: step duration over creep time,
// >= 0; infinite for creep without delay.
FadingStep fading_step(double times);

// What stays constant in a direction if the step changes nothing in it.
enum class Rests { displacement, traction };

// What a step changes, and how.
enum class Changes {
  nothing,        // only stress relaxation still moves something
  displacements,  // linearly in time
  tractions,      // linearly in time; displacements may change with them
};

// P_k' = sum over l of kept[k n + l] P_l + before[k] p + now[k] p' over a step from p to p'.
struct CreepStep {
  std::vector<double> kept;
  std::vector<double> before;
  std::vector<double> now;
};

// The relaxation of stress under a displacement: a sum of exponentials, one for each creep time.
class Relaxation {
 public:
  Relaxation() = default;
  // ratio: the compliance that creep adds, over the instantaneous one; time >= 0.
  explicit Relaxation(const std::vector<CreepTerm>& creep);

  // `now` of the creep terms, in their order, over a step of duration >= 0: the coefficient of the
  // change.
  [[nodiscard]] std::vector<double> now_of(double duration, Changes changes) const;
  // The step's coefficients: exact for any history if nothing changes; a change enters by `now`.
  [[nodiscard]] CreepStep step(double duration, Rests rests, std::vector<double> now) const;

  // The stress at `time` after a unit strain jump, relative to the stress at the jump.
  [[nodiscard]] double left_after(double time) const;
  // The mean of left_after() from begin to end.
  [[nodiscard]] double mean_left(double begin, double end) const;
  // The stress after one step in which the traction is linear and the strain grows from 0 to 1.
  [[nodiscard]] double linear_stress(double duration) const;

 private:
  struct Mode {
    double rate = 0.0;           // [1/time]
    double part = 0.0;           // relative to the stress at the jump, > 0
    std::vector<double> memory;  // P of the slow terms; decays as exp(-rate t)
    std::vector<double> weight;  // weighted sum of P that gives the amplitude of this mode
  };
  static constexpr std::size_t kNotSlow = static_cast<std::size_t>(-1);

  [[nodiscard]] Mode make_mode(double rate, std::size_t k) const;
  [[nodiscard]] double memory_of_traction(std::size_t k, double duration) const;
  [[nodiscard]] double memory_of_memory(std::size_t k, std::size_t l, double duration) const;
  [[nodiscard]] double traction_of_memory(std::size_t l, double duration) const;
  [[nodiscard]] double jump_share(double duration, double time) const;

  std::vector<double> times_;      // of all terms
  std::vector<std::size_t> slow_;  // index in creep_ of every term, or kNotSlow
  std::vector<Mode> modes_;
  std::vector<CreepTerm> creep_;  // relative to the instantaneous compliance, longest time first
  double long_term_ = 1.0;        // long-term stress relative to the stress at the jump
};

// The relaxation of pressure, or of the tangential tractions of a round contact.
Relaxation relaxation_of(const ElasticBody& upper, const ElasticBody& lower,
                         bool tangential = false);

// Whether a shift, rotation or extra slip is given that is not zero.
bool moves(const Tangential& shift);

// What a step prescribes.
struct StepLoads {
  NormalLoad normal;
  TangentialLoad x, y;
  std::optional<double> moment;
};
StepLoads loads_of(const StepInput& step);

// How the creep memory passes through a shift. last: loads of the step before, if there was one.
struct CreepPlan {
  Changes changes = Changes::tractions;
  std::array<Rests, 3> rests{};  // in x, y and of the pressure
};
CreepPlan creep_plan(const StepInput& step, const std::optional<StepLoads>& last);

}  // namespace slipfield
