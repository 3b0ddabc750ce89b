// SPDX-License-Identifier: Apache-2.0
// Equivalent stresses of a whole passage of the load for fatigue: Dang Van and Crossland (THEORY.md
// 12.6).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace slipfield {

// What a stress state comes to: principal stresses and equivalent stresses (THEORY.md 12.4).

// xx, yy, zz, xy, xz, yz; tension positive.
using StressState = std::array<double, 6>;

// In decreasing order.
std::array<double, 3> principal_stresses(const StressState& stress);

// sqrt(3 J2).
double von_mises_stress(const StressState& stress);

// (xx + yy + zz)/3.
double hydrostatic_stress(const StressState& stress);

// The smallest ball that contains points in five dimensions, those of stress deviators (THEORY.md
// 12.6).
using DeviatorPoint = std::array<double, 5>;

struct Ball {
  DeviatorPoint centre{};
  double radius = 0.0;
};

// Exact to rounding: no point is outside the ball by more than 1e-9 of its radius, and its centre
// is in the convex hull of points on its surface. Without points: radius 0 and centre 0.
Ball smallest_ball(const std::vector<DeviatorPoint>& points);

// Factors of the hydrostatic stress, tension positive, in the equivalent shear stresses.
struct FatigueSlopes {
  std::optional<double> dang_van;
  std::optional<double> crossland;

  bool operator==(const FatigueSlopes&) const = default;
};

// For a material with known limits in reversed torsion and bending: both loads then have the
// torsion limit as their equivalent stress. Negative, and meaningless, if the bending limit exceeds
// twice the torsion limit (Dang Van) or sqrt(3) times it (Crossland).
FatigueSlopes fatigue_slopes(double torsion_limit, double bending_limit);

// The states of a material point while it passes the load; the unloaded state before and after is
// not stored but always counts.
using StressHistory = std::vector<StressState>;

// The deviator as a point of five dimensions whose distance from 0 is sqrt(J2).
DeviatorPoint deviator_point(const StressState& stress);
// The smallest ball around all states, including the unloaded one.
Ball deviator_ball(const StressHistory& history);

// The greatest value of a passage and the index of its state; history.size() for the unloaded one.
struct PassageStress {
  double value = 0.0;
  std::size_t state = 0;
};

// tau + slope sigma_h, where tau is half of Tresca's stress of the deviator relative to the ball's
// centre.
PassageStress dang_van_stress(const StressHistory& history, const Ball& ball, double slope);
// The ball's radius, which is the amplitude of sqrt(J2), + slope times the greatest sigma_h.
PassageStress crossland_stress(const StressHistory& history, const Ball& ball, double slope);

}  // namespace slipfield
