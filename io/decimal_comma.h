// SPDX-License-Identifier: Apache-2.0
// Decimal commas in tables of text: accepted between semicolons, tabs and blanks, refused if a
// comma may also separate.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slipfield {

// "-12,5", ",5", "1,5e-3": one comma before digits.
bool has_decimal_comma(std::string_view cell);

// Returns the word of a line whose comma stands for a decimal point, as in 0,1 0,2 0,3; empty if
// there is none. A comma does so if blanks or semicolons separate numbers as well or if, without a
// decimal point in the line, every other comma is next to a blank or a sign.
std::string_view decimal_comma(std::string_view text);

// The commas of a table, which all lines must use in the same way.
class DecimalCommas {
 public:
  // A fault in a line: the word in quotes, or empty for the whole line, and "has ...".
  struct Fault {
    std::string word;
    std::string problem;
  };
  // Converts the decimal commas of a line of numbers, without comments, to points.
  std::optional<Fault> take(std::size_t number, std::string& line);
  [[nodiscard]] bool any() const { return line_ > 0; }

 private:
  std::size_t line_ = 0;    // the first line with a decimal comma
  std::size_t others_ = 0;  // the first with a decimal point, or with commas between numbers
  bool points_ = false;     // which of the two
};

}  // namespace slipfield
