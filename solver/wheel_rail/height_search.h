// SPDX-License-Identifier: Apache-2.0
// The height of a wheelset at which a wheel carries a given vertical force (THEORY.md 13.6).
#pragma once

#include "solver/material.h"
#include "solver/wheel_rail/wheel_contacts.h"

namespace slipfield {

// Normal force of a region of penetration by Hertz's theory, its curvature across taken from the
// region's width; 0 where that is 0.
double estimated_force(const ContactRegion& region, const WheelRailPosition& position,
                       const CombinedMaterial& material);

// F_z at a height by these forces.
double estimated_vertical_force(WheelRailSearch& search, const WheelRailPosition& position,
                                const CombinedMaterial& material);

// The height at which that estimate is `force`. InputError where it is more than 20 mm below the
// first touch.
double estimated_height(WheelRailSearch& search, const WheelRailPosition& position,
                        const CombinedMaterial& material, double force);

// A wheel of which the vertical force on the rail is known at a height only by solving for it.
class LoadedWheel {
 public:
  virtual ~LoadedWheel() = default;
  // The force at a height by the normal problem alone, its tangential part as it was found by the
  // last complete solution, or estimated. Costly.
  virtual double normal_problem(double z) = 0;
  // The complete solution where normal_problem() was asked last. More costly still.
  virtual double complete() = 0;
};

struct HeightResult {
  double z = 0.0;    // of the last complete solution
  bool met = false;  // the force there is within 1e-5 of the one asked for
  // Not met: the force jumps over the one asked for, from `below` to `above` it within 1e-7 mm, or
  // within 2e-6 of the depth where that is less than 0.05 mm;
  // z is on the side that is nearer to it.
  bool jumps = false;
  double below = 0.0;
  double above = 0.0;
};

// The force grows with z, except for steps: small ones of the full theory, where elements enter the
// contact, larger ones of estimates. The position's own height is not used. force > 0.
HeightResult find_height(WheelRailSearch& search, const WheelRailPosition& position,
                         const CombinedMaterial& material, double force, LoadedWheel& wheel);

}  // namespace slipfield
