// SPDX-License-Identifier: Apache-2.0
#include "app/plot/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slipfield {
namespace {

constexpr double kSignNoise = 1.0e-6;  // of the greatest: what tolerances leave of a zero
constexpr double kRounding = 1.0e-9;   // 0.3 / 0.1 is a little less than 3

// value = mantissa * power of ten, 1 <= mantissa < 10, but 9.999999999 is 1 of the next power.
struct Decimal {
  double mantissa = 1.0;
  double power = 1.0;
};
Decimal decimal(double value) {
  Decimal result;
  result.power = std::pow(10.0, std::floor(std::log10(value) + kRounding));
  result.mantissa = value / result.power;
  return result;
}

struct Prefixed {
  std::string_view unit;
  int exponent;
  std::string_view name;
};
constexpr std::array kPrefixed = {
    Prefixed{"m", -3, "mm"},     Prefixed{"m", -6, "µm"},      Prefixed{"m", -9, "nm"},
    Prefixed{"m", 3, "km"},      Prefixed{"mm", -3, "µm"},     Prefixed{"mm", -6, "nm"},
    Prefixed{"mm", 3, "m"},      Prefixed{"Pa", 3, "kPa"},     Prefixed{"Pa", 6, "MPa"},
    Prefixed{"Pa", 9, "GPa"},    Prefixed{"N", 3, "kN"},       Prefixed{"N", 6, "MN"},
    Prefixed{"N", -3, "mN"},     Prefixed{"N", -6, "µN"},      Prefixed{"m/s", -3, "mm/s"},
    Prefixed{"m/s", -6, "µm/s"}, Prefixed{"mm/s", -3, "µm/s"}, Prefixed{"mm/s", 3, "m/s"},
};

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(number)))
    text += kDigits[static_cast<std::size_t>(digit - '0')];
  return text;
}

std::string typeset(std::string_view unit) {
  std::string text(unit);
  for (std::size_t at = text.find("^2"); at != std::string::npos; at = text.find("^2"))
    text.replace(at, 2, "²");
  return text;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// The first `count` characters.
std::string_view beginning(std::string_view text, int count) {
  std::size_t end = 0;
  for (; end < text.size(); ++end)
    if (!continues(text[end]) && count-- == 0) break;
  return text.substr(0, end);
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin);
}

}  // namespace

double nice_step(double range, int most) {
  if (!(range > 0.0) || !std::isfinite(range)) return 1.0;
  const Decimal least = decimal(range / std::max(most, 1));
  for (const double step : {1.0, 2.0, 5.0})
    if (step >= least.mantissa * (1.0 - kRounding)) return step * least.power;
  return 10.0 * least.power;
}

double nice_below(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
  const Decimal most = decimal(value);
  for (const double step : {5.0, 2.0})
    if (step <= most.mantissa * (1.0 + kRounding)) return step * most.power;
  return most.power;
}

UnitScale unit_scale(double greatest, std::string_view unit) {
  constexpr double kLeast = 1.0e-2;  // from here up to kMost numbers are short as they are
  constexpr double kMost = 1.0e4;
  const bool plain =
      !(greatest > 0.0) || !std::isfinite(greatest) || (greatest >= kLeast && greatest < kMost);
  if (plain) return {1.0, typeset(unit)};
  const int exponent = 3 * static_cast<int>(std::floor((std::log10(greatest) + kRounding) / 3.0));
  const double factor = std::pow(10.0, -exponent);
  for (const Prefixed& entry : kPrefixed)
    if (entry.unit == unit && entry.exponent == exponent) return {factor, std::string(entry.name)};
  const std::string power = power_of_ten(exponent);
  return {factor, unit == "-" ? power : power + " " + typeset(unit)};
}

std::string with_unit(std::string_view name, const UnitScale& scale) {
  return scale.unit == "-" ? std::string(name) : fmt::format("{} [{}]", name, scale.unit);
}

std::string quantity_text(double value, std::string_view unit) {
  UnitScale scale = unit_scale(std::fabs(value), unit);
  if (scale.unit.starts_with("10")) scale = {1.0, typeset(unit)};
  std::string number = fmt::format("{:.4g}", value * scale.factor + 0.0);
  if (number.front() == '-') number.replace(0, 1, "−");
  return scale.unit == "-" ? number : number + " " + scale.unit;
}

void Range::include(double value) {
  if (!std::isfinite(value)) return;
  *this = empty() ? Range{value, value} : Range{std::min(low, value), std::max(high, value)};
}

void Range::include(const std::vector<double>& values) {
  for (const double value : values) include(value);
}

double Range::greatest() const { return empty() ? 0.0 : std::max(std::fabs(low), std::fabs(high)); }

ColourRange colour_range(const Range& values) {
  const double greatest = values.greatest();
  if (greatest == 0.0) return {{0.0, 1.0}, false};
  const bool positive = values.high > kSignNoise * greatest;
  const bool negative = values.low < -kSignNoise * greatest;
  if (positive && negative) return {{-greatest, greatest}, true};
  const bool varies = values.high > values.low;
  if (negative) return {{values.low, varies && values.high < 0.5 * values.low ? values.high : 0.0}};
  return {{varies && values.low > 0.5 * values.high ? values.low : 0.0, values.high}};
}

Range without_extremes(const std::vector<double>& values) {
  constexpr std::size_t kLeastValues = 50;  // of fewer a single one is no exception
  constexpr std::size_t kOneIn = 100;
  constexpr double kBeyond = 1.5;
  Range range = kNoRange;
  range.include(values);
  std::vector<double> sizes;
  for (const double value : values)
    if (std::isfinite(value) && std::fabs(value) > kSignNoise * range.greatest())
      sizes.push_back(std::fabs(value));
  if (sizes.size() < kLeastValues) return range;
  const std::size_t extremes = std::max<std::size_t>(1, sizes.size() / kOneIn);
  const auto last = sizes.end() - static_cast<std::ptrdiff_t>(extremes) - 1;
  std::nth_element(sizes.begin(), last, sizes.end());
  const double limit = *last;
  if (range.greatest() <= kBeyond * limit) return range;
  return {std::max(range.low, -limit), std::min(range.high, limit)};
}

Range axis_range(const Range& values) {
  const double greatest = values.greatest();
  if (greatest == 0.0) return {-1.0, 1.0};
  if (values.high - values.low < kRounding * greatest)
    return {std::min(0.0, 1.1 * values.low), std::max(0.0, 1.1 * values.high)};
  const double room = 0.08 * (values.high - values.low);
  return {values.low - room, values.high + room};
}

int character_count(std::string_view utf8) {
  return static_cast<int>(
      std::count_if(utf8.begin(), utf8.end(), [](char byte) { return !continues(byte); }));
}

std::string power_of_ten(int exponent) { return "10" + superscript(exponent); }

std::vector<std::string> wrapped(std::string_view text, int columns, int most_lines) {
  std::vector<std::string> lines;
  text = without_blanks(text);
  while (!text.empty() && static_cast<int>(lines.size()) < most_lines) {
    if (character_count(text) <= columns) {
      lines.emplace_back(text);
      break;
    }
    const bool last = static_cast<int>(lines.size()) + 1 == most_lines;
    std::string_view line = beginning(text, last ? columns - 1 : columns);
    const bool at_blank = text[line.size()] == ' ';
    const std::size_t blank = line.rfind(' ');
    const std::size_t part = line.rfind("; ");  // what belongs together stays in one line
    if (!last && part != std::string_view::npos && part > line.size() / 3)
      line = line.substr(0, part + 1);
    else if (!at_blank && blank != std::string_view::npos && blank > 0)
      line = line.substr(0, blank);
    lines.emplace_back(std::string(line) + (last ? "…" : ""));
    text = without_blanks(text.substr(line.size()));
  }
  return lines;
}

}  // namespace slipfield
