// SPDX-License-Identifier: Apache-2.0
// Rounds numbers computed from those of an input file.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace slipfield {

// Returns the decimal number of up to 13 digits nearest to a sum or product of decimal numbers, if
// the difference is within the rounding of such arithmetic: 0.3 for 0.4 - 0.1, which is
// 0.30000000000000004 in doubles. Otherwise the value itself.
inline double as_decimal(double value) {
  constexpr int kDigits = 13;
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  std::array<char, 32> text{};
  char* const end = text.data() + text.size();
  const auto written =
      std::to_chars(text.data(), end, value, std::chars_format::scientific, kDigits - 1);
  double decimal = 0.0;
  if (written.ec != std::errc{} ||
      std::from_chars(text.data(), written.ptr, decimal).ec != std::errc{})
    return value;
  return std::fabs(decimal - value) <= kRounding * std::fabs(value) ? decimal : value;
}

}  // namespace slipfield
