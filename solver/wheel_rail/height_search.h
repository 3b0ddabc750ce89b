// The height of a wheelset at which a wheel carries a given vertical force (THEORY.md 13.6).
#pragma once

#include <functional>

#include "solver/material.h"
#include "solver/wheel_rail/wheel_contacts.h"

namespace slipfield {

// F_z at a height by Hertz's theory for each region of penetration, its curvature across taken from
// the region's width.
double estimated_vertical_force(WheelRailSearch& search, const WheelRailPosition& position,
                                const CombinedMaterial& material);

// The height at which that estimate is `force`.
double estimated_height(WheelRailSearch& search, const WheelRailPosition& position,
                        const CombinedMaterial& material, double force);

struct HeightResult {
  double z = 0.0;    // where force_at() was called last
  bool met = false;  // the force there is within 1e-5 of the one asked for
};

// `force_at(z)`: the vertical force at a height, costly; it grows with z, but for small steps. The
// position's own height is not used. force > 0.
HeightResult find_height(WheelRailSearch& search, const WheelRailPosition& position,
                         const CombinedMaterial& material, double force,
                         const std::function<double(double)>& force_at);

}  // namespace slipfield
