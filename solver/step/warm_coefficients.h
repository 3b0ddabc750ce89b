// SPDX-License-Identifier: Apache-2.0
// Coefficients of friction that follow the temperatures of a step (THEORY.md 15.4): in each round they
// move towards those that a FrictionFollower wants, with Aitken's relaxation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/step/local_friction.h"

namespace slipfield {

// In the host's memory, on the whole grid.
class WarmCoefficients {
 public:
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

  // Before the rounds of a step.
  void begin(std::vector<double> values) {
    values_ = std::move(values);
    relaxed_.start_again();
  }

  // One round: how far they are from those wanted, as part of the greatest, weighted with the
  // pressure. They move, within [0, greatest], where that is above the tolerance: otherwise they are
  // those of the tractions found.
  double follow(const std::vector<double>& wanted, const std::vector<double>& pressure,
                double greatest, double tolerance) {
    constexpr double kLeast = 0.1;
    constexpr double kMost = 2.0;
    const double change = relaxed_.measure(
        values_.size(), [&](std::size_t i) { return pressure[i]; },
        [&](std::size_t /*i*/) { return greatest; },
        [&](std::size_t i) { return wanted[i] - values_[i]; },
        [](std::size_t /*i*/, double far) { return far; });
    if (change <= tolerance) return change;
    const double part = relaxed_.take([&](double last, double before_times_turn, double turn2) {
      return aitken_relaxation(last, before_times_turn, turn2, kLeast, kMost);
    });
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = std::clamp(values_[i] + part * relaxed_.way(i), 0.0, greatest);
    return change;
  }

 private:
  std::vector<double> values_;
  HostCoefficients relaxed_;
};

}  // namespace slipfield
