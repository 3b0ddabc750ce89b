// SPDX-License-Identifier: Apache-2.0
// The height of a wheelset at which a wheel carries a given vertical force (THEORY.md 13.6).
#pragma once

#include <optional>

#include "solver/material.h"
#include "solver/wheel_rail/wheel_contacts.h"

namespace slipfield {

// Normal force of a region of penetration by Hertz's theory, with the curvature across the track
// taken from the region's width; 0 if the width is 0.
double estimated_force(const ContactRegion& region, const WheelRailPosition& position,
                       const CombinedMaterial& material);

// F_z at the position's height as the sum of these estimates.
double estimated_vertical_force(WheelRailSearch& search, const WheelRailPosition& position,
                                const CombinedMaterial& material);

// The height at which that estimate equals `force`. Throws InputError if it is more than 20 mm
// below the first touch.
double estimated_height(WheelRailSearch& search, const WheelRailPosition& position,
                        const CombinedMaterial& material, double force);

// How exactly the other conditions of a wheel, as its longitudinal force, are met.
enum class Exactness {
  by_height,  // as the height deserves: in full if it carries the vertical force
  full
};

// A wheel whose vertical force on the rail at a height is known only by solving for it.
class LoadedWheel {
 public:
  virtual ~LoadedWheel() = default;
  // The force at a height from the normal problem alone; the tangential part is estimated, or
  // follows from complete solutions: at their heights it is theirs. Costly.
  virtual double normal_problem(double z) = 0;
  // The part of that force by which its tangential part is expected to be off at least.
  [[nodiscard]] virtual double doubt() const { return 0.0; }
  // The complete solution at the last height passed to normal_problem(). Even more costly.
  virtual double complete(Exactness exactness) = 0;
};

// The end of a search for a height, from which another one nearby may begin.
struct HeightStart {
  double depth = 0.0;     // below the first touch
  double exponent = 1.5;  // of the depth in F ~ depth^exponent
};

// Relative error of a vertical force that is met.
inline constexpr double kForceTolerance = 1.0e-5;

struct HeightResult {
  double z = 0.0;    // of the last complete solution
  HeightStart next;  // the same place, for the next search
  bool met = false;  // the force there differs by at most the tolerance from the wanted one
  // If not met: the force jumps across the wanted one, from `below` to `above` within 1e-7 mm, or
  // within 2e-6 of the depth if that is less than 0.05 mm; z is on the side whose force is nearer.
  bool jumps = false;
  double below = 0.0;
  double above = 0.0;
};

// The force grows with z, except for steps: small ones with the full theory, where elements enter
// the contact, larger ones with estimates. The position's own height is ignored. force > 0. start:
// where to begin; empty: at an estimate. tolerance: relative, of the force.
HeightResult find_height(WheelRailSearch& search, const WheelRailPosition& position,
                         const CombinedMaterial& material, double force, LoadedWheel& wheel,
                         const std::optional<HeightStart>& start = {},
                         double tolerance = kForceTolerance);

}  // namespace slipfield
