// SPDX-License-Identifier: Apache-2.0
#include "solver/step/fading_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/influence/fading_memory.h"

namespace slipfield {
namespace {

// (exp(-a) - exp(-b))/(b - a).
double difference_of_fading(double a, double b) {
  const double apart = std::abs(b - a);
  const double least = std::exp(-std::min(a, b));
  return apart > 0.0 ? -least * std::expm1(-apart) / apart : least;
}

// 1 + sum f/(1 - rate tau), which grows from -infinity to infinity between two poles.
double compliance_at(const std::vector<CreepTerm>& creep, double rate) {
  double sum = 1.0;
  for (const CreepTerm& term : creep) sum += term.ratio / (1.0 - rate * term.time);
  return sum;
}

}  // namespace

FadingStep fading_step(double times) {
  if (!std::isfinite(times)) return {0.0, 0.0, 1.0};
  constexpr double kSmall = 1.0e-3;
  if (times < kSmall) {
    const double r = times;
    return {std::exp(-r), r * (0.5 - r * (1.0 / 3.0 - r / 8.0)),
            r * (0.5 - r * (1.0 / 6.0 - r / 24.0))};
  }
  const double kept = std::exp(-times);
  const double mean = (1.0 - kept) / times;
  return {kept, mean - kept, 1.0 - mean};
}

// With J(t) of THEORY.md 2.8 the stress under the strain 1 is, by its Laplace transform,
//   1/(s (1 + sum f/(1 + s tau))):  poles at minus the rates, with the parts as residues.
Relaxation::Relaxation(const std::vector<CreepTerm>& creep) {
  // Its rates, up to 1 + the ratios over its time, are numbers.
  double most_ratio = 1.0;
  for (const CreepTerm& term : creep) most_ratio += term.ratio;
  const auto takes_time = [most_ratio](const CreepTerm& term) {
    return std::isfinite(most_ratio / term.time);
  };
  double at_once = 1.0;
  for (const CreepTerm& term : creep)
    if (!takes_time(term)) at_once += term.ratio;
  std::vector<CreepTerm>& slow = creep_;
  double most = 1.0;
  for (const CreepTerm& term : creep) {
    if (!takes_time(term) || !(term.ratio > 0.0)) continue;
    slow.push_back({term.ratio / at_once, term.time});
    most += slow.back().ratio;
  }
  std::sort(slow.begin(), slow.end(),
            [](const CreepTerm& a, const CreepTerm& b) { return a.time > b.time; });
  long_term_ = 1.0 / most;
  for (std::size_t k = 0; k < slow.size(); ++k) {
    double low = 1.0 / slow[k].time;
    double high = k + 1 < slow.size() ? 1.0 / slow[k + 1].time : most / slow[k].time;
    for (;;) {
      const double rate = std::sqrt(low) * std::sqrt(high);
      if (!(rate > low && rate < high)) break;
      (compliance_at(slow, rate) < 0.0 ? low : high) = rate;
    }
    double slope = 0.0;
    for (const CreepTerm& term : slow)
      slope += term.ratio * term.time / std::pow(1.0 - high * term.time, 2.0);
    modes_.push_back({high, 1.0 / (high * slope)});
  }
}

FadingStep Relaxation::step(double duration, double time) const {
  const double times = duration / time;
  constexpr double kSmall = 1.0e-3;  // the course is next to linear
  const bool short_step = std::all_of(modes_.begin(), modes_.end(), [&](const Mode& mode) {
    return mode.rate * duration < kSmall;
  });
  if (short_step || !std::isfinite(times)) return fading_step(times);
  const double kept = std::exp(-times);
  const double gone = -std::expm1(-times);
  double before = 0.0;
  double whole = 0.0;
  for (const Mode& mode : modes_) {
    const double faded = mode.rate * duration;
    before += mode.part * (times * difference_of_fading(faded, times) - std::exp(-faded) * gone);
    whole -= mode.part * std::expm1(-faded);
  }
  before = std::clamp(before / whole, 0.0, gone);
  return {kept, before, gone - before};
}

double Relaxation::held_error(double duration) const {
  double exact = long_term_;
  for (const Mode& mode : modes_) exact += mode.part * std::exp(-mode.rate * duration);
  double kept = 1.0;  // of the strain 1, less what the traction 1 before it makes creep
  double compliance = 1.0;
  for (const CreepTerm& term : creep_) {
    const FadingStep step = fading_step(duration / term.time);
    kept -= term.ratio * step.before;
    compliance += term.ratio * step.now;
  }
  return kept / compliance / exact - 1.0;
}

double Relaxation::moved_error(double duration) const {
  double exact = long_term_;
  for (const Mode& mode : modes_) {
    const double faded = mode.rate * duration;
    exact -= faded > 0.0 ? mode.part * std::expm1(-faded) / faded : -mode.part;
  }
  double compliance = 1.0;
  for (const CreepTerm& term : creep_)
    compliance += term.ratio * fading_step(duration / term.time).now;
  return 1.0 / compliance / exact - 1.0;
}

Relaxation relaxation_of(const ElasticBody& upper, const ElasticBody& lower) {
  Tangential rolling;  // at velocity 1 the lengths are times
  rolling.problem = TangentialProblem::steady_rolling;
  rolling.velocity = 1.0;
  const double modulus = combine(upper, lower).contact_modulus();
  std::vector<CreepTerm> creep;
  for (const MemoryTerm& term : memory_of(upper, lower, rolling))
    creep.push_back({modulus / term.material.contact_modulus(), term.length_x});
  return Relaxation(creep);
}

StepLoads loads_of(const StepInput& step) {
  const Tangential& tangential = step.tangential;
  return {step.normal, tangential.x, tangential.y, tangential.moment};
}

bool holds_motion(const StepInput& step, const std::optional<StepLoads>& last) {
  const Tangential& shift = step.tangential;
  if (shift.problem != TangentialProblem::shift || !last || last->normal != step.normal ||
      moves(shift))
    return false;
  const auto is_force = [](const TangentialLoad& load) {
    return load.control != TangentialControl::rigid;
  };
  if (step.normal.control != NormalControl::approach)
    return !is_force(shift.x) && !is_force(shift.y) && !shift.moment;
  return (!is_force(shift.x) || shift.x == last->x) && (!is_force(shift.y) || shift.y == last->y) &&
         (!shift.moment || shift.moment == last->moment);
}

bool moves(const Tangential& shift) {
  const auto is_moved = [](const TangentialLoad& load) {
    return load.control == TangentialControl::rigid && load.value != 0.0;
  };
  return is_moved(shift.x) || is_moved(shift.y) || (shift.rotation != 0.0 && !shift.moment) ||
         shift.extra.given();
}

}  // namespace slipfield
