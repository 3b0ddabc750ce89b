#include "io/case_angle.h"

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
  const auto is_same = [radians](const std::string& text) {
    return radians_from_degrees(std::strtod(text.c_str(), nullptr)) == radians;
  };
  for (int digits = 1; digits < 17; ++digits) {
    std::string text = fmt::format("{:.{}g}", degrees, digits);
    if (is_same(text)) return text;
  }
  for (const double neighbour :
       {std::nextafter(degrees, -HUGE_VAL), degrees, std::nextafter(degrees, HUGE_VAL)}) {
    std::string text = fmt::format("{}", neighbour);
    if (is_same(text)) return text;
  }
  return fmt::format("{}", degrees);
}

}  // namespace slipfield
