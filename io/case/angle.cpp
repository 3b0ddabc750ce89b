// SPDX-License-Identifier: Apache-2.0
#include "io/case/angle.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace slipfield {

// A half and a quarter turn give the doubles nearest to pi and pi/2.
double radians_from_degrees(double degrees) {
  return std::fmod(degrees, 360.0) / 180.0 * std::numbers::pi;
}

std::string degrees_text(double radians) {
  const double degrees = radians / std::numbers::pi * 180.0;
  const auto is_same = [radians](double value) { return radians_from_degrees(value) == radians; };
  for (int digits = 1; digits < 17; ++digits) {
    const double rounded = std::strtod(fmt::format("{:.{}g}", degrees, digits).c_str(), nullptr);
    if (is_same(rounded)) return fmt::format("{}", rounded);
  }
  for (const double neighbour :
       {std::nextafter(degrees, -HUGE_VAL), std::nextafter(degrees, HUGE_VAL)}) {
    if (is_same(neighbour)) return fmt::format("{}", neighbour);
  }
  return fmt::format("{}", degrees);
}

}  // namespace slipfield
