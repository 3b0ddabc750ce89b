// SPDX-License-Identifier: Apache-2.0
// Carries the faded tractions of the creep times over a step (THEORY.md 5.13), for the courses that
// tractions take within a step.
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

// Tractions go linearly from p to p'. times: the step's duration over the creep time, >= 0;
// infinite where creep takes no time.
FadingStep fading_step(double times);

// If a step changes nothing in a direction, this stays as it is.
enum class Rests { displacement, traction };

// What a step changes.
enum class Changes {
  nothing,        // what still moves does so as stress relaxes
  displacements,  // linearly in time
  tractions,      // linearly in time, also where displacements change with them
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

  // `now` of the creep terms, in their order, over a step of duration >= 0: its share of a change.
  [[nodiscard]] std::vector<double> now_of(double duration, Changes changes) const;
  // What would be if nothing changed, exactly and whatever has been before, and the change with
  // these shares.
  [[nodiscard]] CreepStep step(double duration, Rests rests, std::vector<double> now) const;

  // The stress that the strain 1 leaves after a time, over that at the jump.
  [[nodiscard]] double left_after(double time) const;
  // Its mean over the time from begin to end.
  [[nodiscard]] double mean_left(double begin, double end) const;
  // The stress after one step of linear tractions in which the strain grows from zero to 1.
  [[nodiscard]] double linear_stress(double duration) const;

 private:
  struct Mode {
    double rate = 0.0;           // [1/time]
    double part = 0.0;           // of the stress at the jump, > 0
    std::vector<double> memory;  // P of the slow terms, which fades by exp(-rate t)
    std::vector<double> weight;  // sum of weight P: how much of it there is
  };
  static constexpr std::size_t kNotSlow = static_cast<std::size_t>(-1);

  [[nodiscard]] Mode make_mode(double rate, std::size_t k) const;
  [[nodiscard]] double memory_of_traction(std::size_t k, double duration) const;
  [[nodiscard]] double memory_of_memory(std::size_t k, std::size_t l, double duration) const;
  [[nodiscard]] double traction_of_memory(std::size_t l, double duration) const;
  [[nodiscard]] double jump_share(double duration, double time) const;

  std::vector<double> times_;      // of all terms
  std::vector<std::size_t> slow_;  // of all terms: the index in creep_, or kNotSlow
  std::vector<Mode> modes_;
  std::vector<CreepTerm> creep_;  // over the compliance at once; from the longest time on
  double long_term_ = 1.0;        // of the stress at the jump
};

// The relaxation of pressure, or of the tangential tractions of a round contact.
Relaxation relaxation_of(const ElasticBody& upper, const ElasticBody& lower,
                         bool tangential = false);

// A given shift, rotation or extra slip that is not zero.
bool moves(const Tangential& shift);

// What a step prescribes.
struct StepLoads {
  NormalLoad normal;
  TangentialLoad x, y;
  std::optional<double> moment;
};
StepLoads loads_of(const StepInput& step);

// How the memory goes through a shift. last: what the step before prescribed, if there was one.
struct CreepPlan {
  Changes changes = Changes::tractions;
  std::array<Rests, 3> rests{};  // in x, y and of the pressure
};
CreepPlan creep_plan(const StepInput& step, const std::optional<StepLoads>& last);

}  // namespace slipfield
