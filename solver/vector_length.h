// SPDX-License-Identifier: Apache-2.0
// Lengths and ratios of sums that stay right where squares overflow or vanish.
#pragma once

#include <cmath>

#include "solver/host_device.h"

namespace slipfield {

// A sum of squares between these lost no digits to the limits of doubles.
inline constexpr double kLeastSquare = 1.0e-250;
inline constexpr double kGreatestSquare = 1.0e250;

// sqrt(x^2 + y^2), also of numbers whose squares a double cannot hold.
SLIPFIELD_HD inline double length_of(double x, double y) {
  const double square = x * x + y * y;
  if (square >= kLeastSquare && square <= kGreatestSquare) return std::sqrt(square);
  const double largest = std::fmax(std::fabs(x), std::fabs(y));
  if (!(largest > 0.0) || !(largest < HUGE_VAL)) return square;  // 0, infinite or not a number
  const double a = x / largest;
  const double b = y / largest;
  return largest * std::sqrt(a * a + b * b);
}

// sqrt(part2/whole2) of sums of squares, where these are beyond doubles part1/whole1 of the sums of
// the magnitudes; 0 of nothing, infinite where only the whole is nothing.
SLIPFIELD_HD inline double relative_size(double part2, double whole2, double part1, double whole1) {
  if (whole2 >= kLeastSquare && whole2 <= kGreatestSquare && part2 <= kGreatestSquare)
    return std::sqrt(part2 / whole2);
  if (whole1 == 0.0) return part1 == 0.0 ? 0.0 : HUGE_VAL * part1;
  return part1 / whole1;
}

}  // namespace slipfield
