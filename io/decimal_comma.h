// SPDX-License-Identifier: Apache-2.0
// Decimal commas in tables of text: read between semicolons, tabs and blanks, refused where a comma
// may be either.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace slipfield {

// "-12,5", ",5", "1,5e-3": one comma before digits.
bool has_decimal_comma(std::string_view cell);

// The word of a line in which a comma stands for a decimal point, as in 0,1 0,2 0,3; empty where
// none does. It does where blanks or semicolons separate numbers as well, or where, without a
// decimal point in the line, every other comma is next to a blank or a sign.
std::string_view decimal_comma(std::string_view text);

// The commas of a table. All of its lines use them in one way.
class DecimalCommas {
 public:
  // What is wrong with a line: the word in quotes, empty where it is the line, and "has ...".
  struct Fault {
    std::string word;
    std::string problem;
  };
  // A line of numbers, without comments: decimal commas become points.
  std::optional<Fault> take(std::size_t number, std::string& line);
  [[nodiscard]] bool any() const { return line_ > 0; }

 private:
  std::size_t line_ = 0;    // the first with a decimal comma
  std::size_t others_ = 0;  // the first with a decimal point, or commas between numbers
  bool points_ = false;     // which of them
};

}  // namespace slipfield
