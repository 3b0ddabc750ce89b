// SPDX-License-Identifier: Apache-2.0
#include "solver/step/local_friction.h"

#include <algorithm>
#include <cmath>

#include "solver/fields/tangential_ops.h"
#include "solver/rolling.h"
#include "solver/solution.h"

namespace slipfield {

// The time in which a particle moves on by an element (steady rolling) or a step.
double LocalFriction::time_of(const Tangential& tangential) const {
  if (!is_rolling(tangential.problem) || !(tangential.velocity > 0.0)) return tangential.duration;
  const double length = rolls_along_y(tangential.direction) ? grid_.dy : grid_.dx;
  const bool steady = tangential.problem == TangentialProblem::steady_rolling;
  return (steady ? length : tangential.step) / tangential.velocity;
}

bool LocalFriction::remembers(const StepInput& step) const {
  const Friction& friction = step.friction;
  const double steepest = friction.second_drop > 0.0
                              ? std::min(friction.half_velocity, friction.second_half_velocity)
                              : friction.half_velocity;
  return friction.remembers() &&
         friction.memory_distance > tolerance_ * steepest * time_of(step.tangential);
}

void LocalFriction::begin(const StepInput& step, const std::vector<double>& friction,
                          const std::vector<double>& path) {
  const Tangential& tangential = step.tangential;
  rolls_ = is_rolling(tangential.problem);
  steady_ = tangential.problem == TangentialProblem::steady_rolling;
  along_y_ = rolls_ && rolls_along_y(tangential.direction);
  forwards_ = rolls_ && rolls_forwards(tangential.direction);
  const double length = along_y_ ? grid_.dy : grid_.dx;
  offset_ = rolls_ ? tangential.step / length : 0.0;
  rate_ = slip_rate(tangential);
  time_ = time_of(tangential);
  shear_share_ = steady_ ? length / tangential.step : 1.0;
  memory_distance_ = remembers(step) ? step.friction.memory_distance : 0.0;
  memory_velocity_ = step.friction.memory_velocity;
  falls_ = step.friction.law != FrictionLaw::constant || layer_.yields();
  laws_.clear();
  for (int iy = 0; iy < grid_.my; ++iy) laws_.push_back(sliding_law(step.friction, grid_.y(iy)));
  varies_ = step.friction.varies();
  fixed_ = static_coefficients(step.friction, grid_);
  friction_before_ = friction;
  path_before_ = path.empty() ? std::vector<double>(grid_.count()) : path;
  if (rolls_ && !steady_) {
    friction_before_ = ahead(friction_before_);
    path_before_ = ahead(path_before_);
  }
  path_ = path_before_;
  friction_ = friction_before_;
  yields_.assign(grid_.count(), 0);
  relaxed_.start_again();
  follows_hardening_ = false;
}

void LocalFriction::follow_hardening() {
  follows_hardening_ = true;
  relaxed_.start_again();
  limit_.resize(grid_.count());
  for (std::size_t i = 0; i < limit_.size(); ++i)
    limit_[i] =
        layer_.yield_stress + (steady_ ? 0.0 : std::max(0.0, layer_.hardening) * path_before_[i]);
  greatest_ = fixed_;
  mixing_.start_again();
}

// The values one step ahead of each element, interpolated linearly; beyond the grid, the edge
// values.
std::vector<double> LocalFriction::ahead(const std::vector<double>& values) const {
  const int whole = static_cast<int>(std::floor(offset_));
  const double part = offset_ - whole;
  std::vector<double> result(values.size());
  for (int iy = 0; iy < grid_.my; ++iy) {
    for (int ix = 0; ix < grid_.mx; ++ix) {
      const auto at = [&](int steps) {
        const int move = forwards_ ? steps : -steps;
        return values[grid_.index(std::clamp(along_y_ ? ix : ix + move, 0, grid_.mx - 1),
                                  std::clamp(along_y_ ? iy + move : iy, 0, grid_.my - 1))];
      };
      result[grid_.index(ix, iy)] =
          part > 0.0 ? (1.0 - part) * at(whole) + part * at(whole + 1) : at(whole);
    }
  }
  return result;
}

// Where friction is lower than that of the slip it recovers over the memory distance, which may be
// far less than the slip that the tolerance resolves: an element would alternate between adhesion
// at the remembered coefficient and slip at the recovered one. Returns the coefficient that agrees
// with the slip of the element while the others' tractions are held, which need not suffice for
// steep laws (THEORY.md 5.9); `otherwise` where friction does not recover.
template <class BySlip>
double LocalFriction::recovering(const LocalFrictionFields& fields, std::size_t i,
                                 const Upstream& from, double slip, double otherwise,
                                 const BySlip& by_slip) const {
  const double pressure = fields.pressure[i];
  // of the tractions that the element would have without slip
  const double adhering = (fields.traction[i] + slip / self_) / pressure;
  const auto excess = [&](double coefficient) {
    return by_slip(self_ * pressure * (adhering - coefficient), true) - coefficient;
  };
  double low = from.friction;
  if (by_slip(0.0, false) >= adhering || low >= adhering || !(excess(low) > 0.0)) return otherwise;
  double high = adhering;
  const double now = fields.traction[i] / pressure;
  if (now > low && now < high) (excess(now) > 0.0 ? low : high) = now;
  constexpr int kHalvings = 60;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    (excess(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

LocalFriction::Wanted LocalFriction::want(const LocalFrictionFields& fields, std::size_t i,
                                          const SlidingLaw& law, const Upstream& from) const {
  const bool slips = fields.division[i] == static_cast<unsigned char>(ElementState::slip);
  const double slip = slips ? std::hypot(fields.slip_x[i], fields.slip_y[i]) : 0.0;
  const auto by_slip = [&](double distance, bool sliding) {
    const double now = sliding ? law.at(rate_ * distance) : law.fixed;
    if (memory_distance_ == 0.0) return now;
    const double velocity = std::max(rate_ * distance, memory_velocity_);
    const double kept = memory_distance_ / (memory_distance_ + time_ * velocity);
    const double remembered = kept * from.friction + (1.0 - kept) * now;
    // Ahead of the element the law along y may have had greater or smaller coefficients.
    return varies_ ? std::min(remembered, law.fixed)
                   : std::clamp(remembered, law.kinetic, law.fixed);
  };
  Wanted wanted{by_slip(slip, slips), 0.0, from.path, false};
  wanted.friction = wanted.coefficient;
  const double pressure = fields.pressure[i];
  if (!layer_.yields() && memory_distance_ > 0.0 && pressure > 0.0)
    wanted.coefficient = wanted.friction =
        recovering(fields, i, from, slip, wanted.friction, by_slip);
  if (!layer_.yields() || !(pressure > 0.0)) return wanted;
  // Where the layer yields first, the surfaces do not slide, unless it hardens up to the friction
  // bound.
  const double still = by_slip(0.0, false) * pressure;
  const double limit = std::max(0.0, layer_.yield_stress + layer_.hardening * from.path);
  if (limit >= still) return wanted;
  wanted.bounded = true;
  const double shear = shear_share_ * slip;
  const double stress = std::max(0.0, limit + layer_.hardening * shear);
  if (stress >= still) {
    wanted.path = from.path + (still - limit) / layer_.hardening;
    wanted.bounded = false;
    return wanted;
  }
  wanted.coefficient = stress / pressure;
  wanted.friction = still / pressure;
  wanted.path = from.path + shear;
  wanted.yields = slips;
  return wanted;
}

void LocalFriction::want_all(const LocalFrictionFields& fields) {
  wanted_.resize(grid_.count());
  const int lines = along_y_ ? grid_.mx : grid_.my;
  const int length = along_y_ ? grid_.my : grid_.mx;
#pragma omp parallel for if (grid_.count() >= kLeastForThreads)
  for (int line = 0; line < lines; ++line) {
    bool inside = false;  // the last element was in contact
    Upstream before;
    for (int k = 0; k < length; ++k) {
      const int place = forwards_ ? length - 1 - k : k;
      const std::size_t i = along_y_ ? grid_.index(line, place) : grid_.index(place, line);
      SlidingLaw law = laws_[static_cast<std::size_t>(along_y_ ? place : line)];
      if (varies_) law.fixed = law.kinetic = fixed_[i];
      yields_[i] = bounded_[i] = 0;
      if (!in_contact(fields.division[i])) {
        wanted_[i] = friction_[i] = law.fixed;
        path_[i] = 0.0;
        inside = false;
        continue;
      }
      Upstream from{friction_before_[i], path_before_[i]};
      if (steady_) from = inside ? before : Upstream{law.fixed, 0.0};
      const Wanted wanted = want(fields, i, law, from);
      wanted_[i] = wanted.coefficient;
      friction_[i] = wanted.friction;
      path_[i] = wanted.path;
      yields_[i] = wanted.yields ? 1 : 0;
      bounded_[i] = wanted.bounded ? 1 : 0;
      if (follows_hardening_) {
        limit_[i] = std::max(0.0, layer_.yield_stress + layer_.hardening * from.path);
        greatest_[i] = wanted.bounded ? wanted.friction : wanted.coefficient;
      }
      before = {wanted.friction, wanted.path};
      inside = true;
    }
  }
}

double LocalFriction::follow(const LocalFrictionFields& fields, double self, int round,
                             std::vector<double>& coefficients) {
  bounded_.resize(grid_.count());
  self_ = self;
  const std::vector<double> limit_before = limit_;
  want_all(fields);
  if (follows_hardening_ && steady_) {
    mixing_.mix<1>({limit_before.data()}, {limit_.data()});
    for (double& limit : limit_) limit = std::max(limit, layer_.yield_stress);
  }
  const double damping = 1.0 + std::max(0.0, layer_.hardening) * shear_share_ * self;
  const double change = relaxed_.measure(
      grid_.count(),
      [&](std::size_t i) { return in_contact(fields.division[i]) ? fields.pressure[i] : 0.0; },
      [&](std::size_t i) { return fixed_[i]; },
      [&](std::size_t i) {
        // Elements that alternate between states would never settle.
        const bool only_down = !falls_ && round > kFreeRounds;
        return (only_down ? std::min(wanted_[i], coefficients[i]) : wanted_[i]) - coefficients[i];
      },
      [&](std::size_t i, double far) { return yields_[i] != 0 ? far / damping : far; });
  const double part = relaxed_.take([&](double last, double before_times_turn, double turn2) {
    return round > 1 && falls_
               ? friction_relaxation(last, before_times_turn, turn2, round > kFreeRounds)
               : 1.0;
  });
  for (std::size_t i = 0; i < grid_.count(); ++i) {
    const SlidingLaw& law = laws_[i / static_cast<std::size_t>(grid_.mx)];
    const double least = layer_.yields() ? 0.0 : law.kinetic;
    const bool at_once = follows_hardening_ && bounded_[i] != 0;
    const double moved = at_once ? wanted_[i] : coefficients[i] + part * relaxed_.way(i);
    coefficients[i] = std::clamp(moved, least, fixed_[i]);
  }
  return change;
}

}  // namespace slipfield
