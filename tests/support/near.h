// SPDX-License-Identifier: Apache-2.0
// A number and how far another may be from it. doctest::Approx by itself adds 1 to the size of what
// it compares: for numbers much less than 1 its relative tolerance accepts anything.
#pragma once

#include <doctest/doctest.h>

namespace slipfield::test {

// relative: of the greater of both numbers; by default some thousand roundings. Only 0 is near 0.
inline doctest::Approx near(double value, double relative = 1e-12) {
  constexpr double kNothing = 1e-280;  // times the tolerance still more than 0: doctest wants less
  return doctest::Approx(value).epsilon(relative).scale(kNothing);
}

// absolute: in the unit of the value, for one that may be 0 or nearly so.
inline doctest::Approx within(double value, double absolute) {
  constexpr double kRounding =
      1e-16;  // doctest multiplies it by the scale plus the greater of both
  return doctest::Approx(value).epsilon(kRounding).scale(absolute / kRounding);
}

}  // namespace slipfield::test
