// SPDX-License-Identifier: Apache-2.0
// Numbers that a reader of a figure meets: ticks, units with a prefix, ranges of colours, texts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slipfield {

// The smallest of 1, 2, 5 times a power of ten with at most `most` steps in the range (at least
// one); 1 for a range that is not positive.
double nice_step(double range, int most);
// The greatest of 1, 2, 5 times a power of ten that is not above `value`; 1 unless it is positive.
double nice_below(double value);

// What a value is multiplied by to be shown, and the unit that it then has: 4.5e8 Pa is 450 MPa,
// 0.002 mm is 2 µm; without a name for it, 2e-3 N/mm^2 is 2 in 10⁻³ N/mm².
struct UnitScale {
  double factor = 1.0;
  std::string unit;
};
UnitScale unit_scale(double greatest, std::string_view unit);
// "pressure [N/mm²]"; a ratio ("-") has no unit.
std::string with_unit(std::string_view name, const UnitScale& scale);
// A number with its unit, scaled: "450 MPa".
std::string quantity_text(double value, std::string_view unit);

struct Range {
  double low = 0.0;
  double high = 0.0;

  void include(double value);  // unless it is not finite
  void include(const std::vector<double>& values);
  [[nodiscard]] double greatest() const;  // of the absolute values
  [[nodiscard]] bool empty() const { return !(low <= high); }
};
inline constexpr Range kNoRange{1.0, -1.0};

// Colours: from or to 0 for a field of one sign unless it varies by less than half of its greatest
// value; about 0 for one of both signs, where what is below a millionth is no sign. Never of width
// 0.
struct ColourRange {
  Range range;
  bool diverging = false;
};
ColourRange colour_range(const Range& values);
// The range without the extremes of single elements: where at most one value in a hundred (of those
// that are not nearly 0) is beyond 1.5 times the greatest of the others, it ends at that one.
Range without_extremes(const std::vector<double>& values);
// An axis: the values with 8 % of room on both sides. Never of width 0.
Range axis_range(const Range& values);

int character_count(std::string_view utf8);
std::string power_of_ten(int exponent);  // "10⁻⁶"

// At most `most_lines` lines of at most `columns` characters, broken at blanks where possible; what
// does not fit ends with "…".
std::vector<std::string> wrapped(std::string_view text, int columns, int most_lines);

}  // namespace slipfield
