// SPDX-License-Identifier: Apache-2.0
#include "io/decimal_comma.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "io/plain_text.h"
#include "io/profiles/formats.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

// Every word with a comma, between blanks and semicolons, is a number with a decimal comma, none
// has a point, and there are several.
bool has_clear_words(std::string_view line) {
  const auto words = words_of(line, " \t\r;");
  return words.size() > 1 && std::ranges::all_of(words, [](std::string_view word) {
           return word.find('.') == std::string_view::npos &&
                  (word.find(',') == std::string_view::npos || has_decimal_comma(word));
         });
}

}  // namespace

bool has_decimal_comma(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos || comma + 1 == cell.size() ||
      !is_decimal_digit(cell[comma + 1]) || cell.find('.') != std::string_view::npos)
    return false;
  std::string with_point(cell);
  with_point[comma] = '.';
  return reads_as_number(with_point);
}

std::string_view decimal_comma(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r;";
  if (text.find(',') == std::string_view::npos) return {};
  std::vector<bool> tight;  // of each comma: has digits on both sides
  bool blanks = false;
  std::size_t first = std::string_view::npos;
  for (std::size_t i = text.find_first_not_of(" \t\r,;"); i < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\r,;", i), text.size());
    const std::size_t next = std::min(text.find_first_not_of(" \t\r,;", end), text.size());
    if (next == text.size()) break;
    const std::string_view between = text.substr(end, next - end);
    if (between.find(',') == std::string_view::npos || between.find(';') != std::string_view::npos)
      blanks = true;
    else
      tight.push_back(between == "," && is_decimal_digit(text[end - 1]) &&
                      is_decimal_digit(text[next]));
    if (!tight.empty() && tight.back() && first == std::string_view::npos) first = i;
    i = next;
  }
  bool alternates = !blanks && tight.size() > 2 && tight.size() % 2 == 1 &&
                    text.find('.') == std::string_view::npos;
  for (std::size_t i = 0; i < tight.size(); ++i)
    alternates = alternates && tight[i] == (i % 2 == 0);
  if (first == std::string_view::npos || !(blanks || alternates)) return {};
  return text.substr(first, text.find_first_of(kBlanks, first) - first);
}

std::optional<DecimalCommas::Fault> DecimalCommas::take(std::size_t number, std::string& line) {
  const bool has_comma = line.find(',') != std::string::npos;
  const bool has_point = line.find('.') != std::string::npos;
  if (!has_comma && !has_point) return std::nullopt;
  const std::string word(decimal_comma(line));
  if (word.empty()) {
    if (others_ == 0) {
      others_ = number;
      points_ = has_point;
    }
    if (line_ == 0) return std::nullopt;
    return Fault{"",
                 fmt::format("has {}, and line {} decimal commas; accepted: one use in all lines",
                             has_point ? "a decimal point" : "commas between numbers", line_)};
  }
  if (line_ == 0) line_ = number;
  if (!has_clear_words(line))
    return Fault{in_quotes(word),
                 "has a decimal comma; accepted: decimal points, or semicolons, tabs or blanks "
                 "between the numbers"};
  if (others_ > 0)
    return Fault{in_quotes(word),
                 fmt::format("has a decimal comma, and line {} {}; accepted: one use in all lines",
                             others_, points_ ? "a decimal point" : "commas between numbers")};
  std::ranges::replace(line, ',', '.');
  return std::nullopt;
}

}  // namespace slipfield
