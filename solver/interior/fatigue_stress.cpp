// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/fatigue_stress.h"

#include <cmath>

namespace slipfield {
namespace {

constexpr StressState kUnloaded{};

// The deviator of a point: the inverse of deviator_point.
StressState deviator_of(const DeviatorPoint& point) {
  const double along = 2.0 * point[1] / std::sqrt(3.0);
  return {point[0] - 0.5 * along, -point[0] - 0.5 * along, along, point[2], point[3], point[4]};
}

// Greatest of value(state) over the history and the unloaded state.
template <class Value>
PassageStress greatest_of(const StressHistory& history, const Value& value) {
  PassageStress greatest{value(kUnloaded), history.size()};
  for (std::size_t i = 0; i < history.size(); ++i)
    if (const double here = value(history[i]); here > greatest.value) greatest = {here, i};
  return greatest;
}

}  // namespace

FatigueSlopes fatigue_slopes(double torsion_limit, double bending_limit) {
  const double ratio = torsion_limit / bending_limit;
  return {3.0 * ratio - 1.5, 3.0 * ratio - std::sqrt(3.0)};
}

DeviatorPoint deviator_point(const StressState& stress) {
  const auto& [xx, yy, zz, xy, xz, yz] = stress;
  return {0.5 * (xx - yy), (zz - 0.5 * (xx + yy)) / std::sqrt(3.0), xy, xz, yz};
}

Ball deviator_ball(const StressHistory& history) {
  std::vector<DeviatorPoint> points{DeviatorPoint{}};
  points.reserve(history.size() + 1);
  for (const StressState& stress : history) points.push_back(deviator_point(stress));
  return smallest_ball(points);
}

PassageStress dang_van_stress(const StressHistory& history, const Ball& ball, double slope) {
  return greatest_of(history, [&](const StressState& stress) {
    DeviatorPoint point = deviator_point(stress);
    for (std::size_t i = 0; i < point.size(); ++i) point[i] -= ball.centre[i];
    const auto principal = principal_stresses(deviator_of(point));
    return 0.5 * (principal[0] - principal[2]) + slope * hydrostatic_stress(stress);
  });
}

PassageStress crossland_stress(const StressHistory& history, const Ball& ball, double slope) {
  return greatest_of(history, [&](const StressState& stress) {
    return ball.radius + slope * hydrostatic_stress(stress);
  });
}

}  // namespace slipfield
