// SPDX-License-Identifier: Apache-2.0
// Surfaces without symmetry for the normal problem.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield::test {

inline constexpr std::array<NormalMethod, 2> kNormalMethods{NormalMethod::bound_cg,
                                                            NormalMethod::active_set_cg};

// tilted_paraboloid, lifted.
inline QuadraticShape skew_paraboloid(const Grid& grid) {
  QuadraticShape shape = tilted_paraboloid(grid);
  shape.constant = 0.013;
  return shape;
}

// Waves with random amplitudes and phases on a shallow bowl: many islands of contact.
inline HeightsShape rough_surface(const Grid& grid, std::uint64_t seed, double bowl = 0.05) {
  Random random(seed);
  HeightsShape shape;
  shape.of = HeightsOf::lower;
  shape.values.assign(grid.count(), 0.0);
  for (int wave = 0; wave < 40; ++wave) {
    const double kx = random.uniform(-9.0, 9.0);
    const double ky = random.uniform(-9.0, 9.0);
    const double phase = random.uniform(0.0, 2.0 * kPi);
    const double amplitude = 0.02 / (1.0 + 0.1 * (kx * kx + ky * ky));
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        const double x = 2.0 * kPi * ix / grid.mx;
        const double y = 2.0 * kPi * iy / grid.my;
        shape.values[grid.index(ix, iy)] += amplitude * std::sin(kx * x + ky * y + phase);
      }
    }
  }
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double x = 2.0 * (ix + 0.5) / grid.mx - 1.0;
      const double y = 2.0 * (iy + 0.5) / grid.my - 1.0;
      shape.values[grid.index(ix, iy)] -= bowl * (x * x + y * y);
    }
  }
  return shape;
}

}  // namespace slipfield::test
