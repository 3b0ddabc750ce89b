// SPDX-License-Identifier: Apache-2.0
// Numbers of a case file, read strictly: plain decimal notation, whole words, finite.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slipfield {

// A value, or the fault of the word as the start of a message.
template <typename T>
struct ParsedNumber {
  std::optional<T> value;
  std::string problem;
};

// [+-] digits [. digits] [e [+-] digits]. Refuses words that YAML readers interpret differently:
// 010, 0x1F, 1_000, 1:30, .nan, .inf.
ParsedNumber<double> parse_number(std::string_view word);

// [+-] digits.
ParsedNumber<std::int64_t> parse_integer(std::string_view word);

// Undoes the rounding of arithmetic with decimal numbers: returns the number of at most this many
// digits nearest to the value if they differ by no more than `rounding`, else the value.
double as_decimal(double value, int digits, double rounding);

// Angles are degrees in the case and radians in the problem. Drops whole turns.
double radians_from_degrees(double degrees);
// The shortest text in degrees that radians_from_degrees converts to exactly this angle.
std::string degrees_text(double radians);

}  // namespace slipfield
