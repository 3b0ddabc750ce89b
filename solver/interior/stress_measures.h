// SPDX-License-Identifier: Apache-2.0
// What a stress state comes to: principal stresses and equivalent stresses (THEORY.md 12.4).
#pragma once

#include <array>

namespace slipfield {

// xx, yy, zz, xy, xz, yz; tension positive.
using StressState = std::array<double, 6>;

// In decreasing order.
std::array<double, 3> principal_stresses(const StressState& stress);

// sqrt(3 J2).
double von_mises_stress(const StressState& stress);

// (xx + yy + zz)/3.
double hydrostatic_stress(const StressState& stress);

}  // namespace slipfield
