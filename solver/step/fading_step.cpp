// SPDX-License-Identifier: Apache-2.0
#include "solver/step/fading_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

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

// The mean of exp(-q) over q from 0 to `faded`.
double mean_fading(double faded) { return faded > 0.0 ? -std::expm1(-faded) / faded : 1.0; }

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
// The memories 1/(1 - rate tau) of two rates are orthogonal under the weights f tau.
Relaxation::Relaxation(const std::vector<CreepTerm>& creep) {
  // The highest rate, up to (1 + sum of ratios)/time, must be finite.
  double most_ratio = 1.0;
  for (const CreepTerm& term : creep) most_ratio += term.ratio;
  const auto takes_time = [most_ratio](const CreepTerm& term) {
    return std::isfinite(most_ratio / term.time);
  };
  double at_once = 1.0;
  for (const CreepTerm& term : creep)
    if (!takes_time(term)) at_once += term.ratio;
  // A term of hardly any creep fades as if it had no effect: rounding would lose its rate.
  constexpr double kLeast = 1.0e-9;
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < creep.size(); ++k) {
    times_.push_back(creep[k].time);
    if (takes_time(creep[k]) && creep[k].ratio > kLeast * at_once) order.push_back(k);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return creep[a].time > creep[b].time; });
  slow_.assign(creep.size(), kNotSlow);
  double most = 1.0;
  for (const std::size_t k : order) {
    // Equal times are moved a millionth apart, so that a rate lies between them.
    constexpr double kLess = 1.0 - 1.0e-6;
    const double most_time = creep_.empty() ? HUGE_VAL : kLess * creep_.back().time;
    slow_[k] = creep_.size();
    creep_.push_back({creep[k].ratio / at_once, std::min(creep[k].time, most_time)});
    most += creep_.back().ratio;
  }
  long_term_ = 1.0 / most;
  for (std::size_t k = 0; k < creep_.size(); ++k) {
    double low = 1.0 / creep_[k].time;
    double high = k + 1 < creep_.size() ? 1.0 / creep_[k + 1].time : most / creep_[k].time;
    for (;;) {
      const double rate = std::sqrt(low) * std::sqrt(high);
      if (!(rate > low && rate < high)) break;
      (compliance_at(creep_, rate) < 0.0 ? low : high) = rate;
    }
    modes_.push_back(make_mode(high, k));
  }
}

// The k-th lowest rate lies between those of the terms k and k + 1, where 1 - rate tau changes its
// sign; for a negligible ratio rounding makes it 0.
Relaxation::Mode Relaxation::make_mode(double rate, std::size_t k) const {
  constexpr double kLeast = 1.0e-15;
  Mode mode{rate, 0.0, {}, {}};
  double slope = 0.0;
  for (std::size_t i = 0; i < creep_.size(); ++i) {
    const double far = std::max(std::abs(1.0 - rate * creep_[i].time), kLeast);
    mode.memory.push_back(i <= k ? -1.0 / far : 1.0 / far);
    mode.weight.push_back(creep_[i].ratio * creep_[i].time * mode.memory[i]);
    slope += mode.weight[i] * mode.memory[i];
  }
  for (double& weight : mode.weight) weight /= slope;
  mode.part = 1.0 / (rate * slope);
  return mode;
}

double Relaxation::left_after(double time) const {
  double left = long_term_;
  for (const Mode& mode : modes_) left += mode.part * std::exp(-mode.rate * time);
  return left;
}

double Relaxation::mean_left(double begin, double end) const {
  double left = long_term_;
  for (const Mode& mode : modes_)
    left += mode.part * std::exp(-mode.rate * begin) * mean_fading(mode.rate * (end - begin));
  return left;
}

double Relaxation::linear_stress(double duration) const {
  double compliance = 1.0;
  for (const CreepTerm& term : creep_)
    compliance += term.ratio * fading_step(duration / term.time).now;
  return 1.0 / compliance;
}

// `now` of a term if the tractions relax after a jump.
double Relaxation::jump_share(double duration, double time) const {
  const double times = duration / time;
  const double gone = -std::expm1(-times);
  double before = 0.0;
  double whole = 0.0;
  for (const Mode& mode : modes_) {
    const double faded = mode.rate * duration;
    before += mode.part * (times * difference_of_fading(faded, times) - std::exp(-faded) * gone);
    whole -= mode.part * std::expm1(-faded);
  }
  return gone - std::clamp(before / whole, 0.0, gone);
}

std::vector<double> Relaxation::now_of(double duration, Changes changes) const {
  constexpr double kSmall = 1.0e-3;  // each course is next to linear
  const bool is_short = std::all_of(modes_.begin(), modes_.end(), [&](const Mode& mode) {
    return mode.rate * duration < kSmall;
  });
  std::vector<double> now;
  for (const double time : times_) now.push_back(fading_step(duration / time).now);
  if (is_short || changes == Changes::tractions) return now;
  const double stress = mean_left(0.0, duration);  // of a strain that grows to 1
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (slow_[k] == kNotSlow) continue;
    const double gone = -std::expm1(-duration / times_[k]);
    if (changes == Changes::nothing) {
      now[k] = jump_share(duration, times_[k]);
      continue;
    }
    double faded = 0.0;
    for (const Mode& mode : modes_)
      faded -= mode.memory[slow_[k]] * mode.part * (1.0 - mean_fading(mode.rate * duration));
    now[k] = std::clamp(faded / stress, 0.0, gone);
  }
  return now;
}

CreepStep Relaxation::step(double duration, Rests rests, std::vector<double> now) const {
  const std::size_t n = times_.size();
  CreepStep step{std::vector<double>(n * n), std::vector<double>(n), std::move(now)};
  // The traction at the end if nothing changes: the sum of of_memory P and of_traction p.
  double of_traction = 1.0;
  std::vector<double> of_memory(n);
  if (rests == Rests::displacement) {
    of_traction = left_after(duration);
    for (std::size_t l = 0; l < n; ++l)
      if (slow_[l] != kNotSlow) of_memory[l] = traction_of_memory(slow_[l], duration);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const FadingStep alone = fading_step(duration / times_[k]);
    if (rests == Rests::traction || slow_[k] == kNotSlow) {
      step.kept[k * n + k] = alone.kept;
      step.before[k] = 1.0 - alone.kept - step.now[k];
      continue;
    }
    const double grown = memory_of_traction(slow_[k], duration);
    step.before[k] = grown - step.now[k] * of_traction;
    double all = step.before[k] + step.now[k];
    for (std::size_t l = 0; l < n; ++l) {
      if (slow_[l] == kNotSlow) continue;
      double& kept = step.kept[k * n + l];
      kept = memory_of_memory(slow_[k], slow_[l], duration) + grown * creep_[slow_[l]].ratio -
             step.now[k] * of_memory[l];
      all += kept;
    }
    // A traction that has crept completely stays; with little creep rounding would lose that.
    if (creep_[slow_[k]].ratio < 1.0) step.kept[k * n + k] += 1.0 - all;
  }
  return step;
}

// Under a held displacement: P_k at the end due to a unit traction at the start.
double Relaxation::memory_of_traction(std::size_t k, double duration) const {
  double sum = 0.0;
  for (const Mode& mode : modes_)
    sum += mode.memory[k] * mode.part * std::expm1(-mode.rate * duration);
  return sum;
}

// P_k at the end due to P_l = 1 at the start, without the effect of its displacement as a traction.
double Relaxation::memory_of_memory(std::size_t k, std::size_t l, double duration) const {
  double sum = 0.0;
  for (const Mode& mode : modes_)
    sum += mode.memory[k] * mode.weight[l] * std::exp(-mode.rate * duration);
  return sum;
}

// The traction at the end due to P_l = 1 at the start.
double Relaxation::traction_of_memory(std::size_t l, double duration) const {
  double sum = creep_[l].ratio * left_after(duration);
  for (const Mode& mode : modes_) sum += mode.weight[l] * std::exp(-mode.rate * duration);
  return sum;
}

Relaxation relaxation_of(const ElasticBody& upper, const ElasticBody& lower, bool tangential) {
  // A round contact is displaced tangentially by 1 - nu/2 where pressure displaces it by 1 - nu.
  const auto compliance = [tangential](const CombinedMaterial& material) {
    return (1.0 - (tangential ? 0.5 : 1.0) * material.poisson_ratio) / material.shear_modulus;
  };
  const double whole = compliance(combine(upper, lower));
  std::vector<CreepTerm> creep;
  for (const auto& [material, time] : creep_of(upper, lower))
    creep.push_back({compliance(material) / whole, time});
  return Relaxation(creep);
}

StepLoads loads_of(const StepInput& step) {
  const Tangential& tangential = step.tangential;
  return {step.normal, tangential.x, tangential.y, tangential.moment};
}

CreepPlan creep_plan(const StepInput& step, const std::optional<StepLoads>& last) {
  const Tangential& shift = step.tangential;
  CreepPlan plan;
  const bool by_approach = step.normal.control == NormalControl::approach;
  plan.rests[2] = by_approach ? Rests::displacement : Rests::traction;
  const auto rests = [&](const TangentialLoad& load) {
    if (load.control == TangentialControl::rigid) return Rests::displacement;
    // A part of the normal force does as that does.
    return load.control == TangentialControl::force ? Rests::traction : plan.rests[2];
  };
  plan.rests[0] = rests(shift.x);
  plan.rests[1] = rests(shift.y);
  const auto is_new = [](const TangentialLoad& load, const TangentialLoad* before) {
    if (load.control == TangentialControl::rigid) return false;
    return before != nullptr ? load != *before : load.value != 0.0;
  };
  const bool pressed = !last || step.normal != last->normal;
  const bool turned = shift.moment && (last ? shift.moment != last->moment : *shift.moment != 0.0);
  const bool loaded = (pressed && !by_approach) || turned ||
                      is_new(shift.x, last ? &last->x : nullptr) ||
                      is_new(shift.y, last ? &last->y : nullptr);
  const bool is_held = std::count(plan.rests.begin(), plan.rests.end(), Rests::displacement) > 0;
  if (loaded || !is_held)
    plan.changes = Changes::tractions;
  else
    plan.changes = pressed || moves(shift) ? Changes::displacements : Changes::nothing;
  return plan;
}

bool moves(const Tangential& shift) {
  const auto is_moved = [](const TangentialLoad& load) {
    return load.control == TangentialControl::rigid && load.value != 0.0;
  };
  return is_moved(shift.x) || is_moved(shift.y) || (shift.rotation != 0.0 && !shift.moment) ||
         shift.extra.given();
}

}  // namespace slipfield
