// SPDX-License-Identifier: Apache-2.0
// Lengths and ratios of sums that stay correct when squares overflow or underflow.
#pragma once

#include <cmath>

#include "solver/host_device.h"

namespace slipfield {

// A sum of squares between these limits has lost no digits to overflow or underflow.
inline constexpr double kLeastSquare = 1.0e-250;
inline constexpr double kGreatestSquare = 1.0e250;

// sqrt(x^2 + y^2), correct also if the squares overflow or underflow.
SLIPFIELD_HD inline double length_of(double x, double y) {
  const double square = x * x + y * y;
  if (square >= kLeastSquare && square <= kGreatestSquare) return std::sqrt(square);
  const double largest = std::fmax(std::fabs(x), std::fabs(y));
  if (!(largest > 0.0) || !(largest < HUGE_VAL)) return square;  // 0, infinite or not a number
  const double a = x / largest;
  const double b = y / largest;
  return largest * std::sqrt(a * a + b * b);
}

// sqrt(part2/whole2) of sums of squares; if these overflow or underflow, part1/whole1 of the sums
// of magnitudes. 0 if both are 0, infinite if only the whole is 0.
SLIPFIELD_HD inline double relative_size(double part2, double whole2, double part1, double whole1) {
  if (whole2 >= kLeastSquare && whole2 <= kGreatestSquare && part2 <= kGreatestSquare)
    return std::sqrt(part2 / whole2);
  if (whole1 == 0.0) return part1 == 0.0 ? 0.0 : HUGE_VAL * part1;
  return part1 / whole1;
}

}  // namespace slipfield
