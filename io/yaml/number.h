// SPDX-License-Identifier: Apache-2.0
// Numbers of a case file, read strictly: plain decimal notation, the whole word, finite.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slipfield {

// Either a value or what is wrong with the word, as the start of a message.
template <typename T>
struct ParsedNumber {
  std::optional<T> value;
  std::string problem;
};

// [+-] digits [. digits] [e [+-] digits]. Refused although YAML readers take them, each in its own
// way: 010, 0x1F, 1_000, 1:30, .nan, .inf.
ParsedNumber<double> parse_number(std::string_view word);

// [+-] digits.
ParsedNumber<std::int64_t> parse_integer(std::string_view word);

// Angles are degrees in the case and radians in the problem. The angle less its whole turns.
double radians_from_degrees(double degrees);
// The shortest text of the degrees that radians_from_degrees turns into just this angle.
std::string degrees_text(double radians);

}  // namespace slipfield
