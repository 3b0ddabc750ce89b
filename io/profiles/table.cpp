// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/profiles/formats.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

using Rows = std::vector<std::vector<double>>;

// A line of names: its first word is one, such as y, "y" or [mm], and no number in other letters.
bool is_line_of_names(std::string_view line, const std::vector<std::string_view>& words) {
  for (const std::string_view word : words) {
    const std::string name = lower_case(word);
    for (const char* number : {"nan", "inf", "+nan", "-nan", "+inf", "-inf", "infinity"})
      if (name == number) return false;
  }
  const char first = words.front()[0];
  return is_ascii_letter(first) ||
         std::string_view("\"'([{_*/").find(first) != std::string_view::npos ||
         std::none_of(line.begin(), line.end(), is_decimal_digit);
}

// "y", "Y[mm]", "\"z (mm)\"": the letter that a column is named by.
char letter_of(std::string_view name) {
  while (!name.empty() && std::string_view("\"' \t").find(name[0]) != std::string_view::npos)
    name.remove_prefix(1);
  const bool alone = name.size() == 1 ||
                     (name.size() > 1 && !is_ascii_letter(name[1]) && !is_decimal_digit(name[1]));
  return alone && is_ascii_letter(name.empty() ? ' ' : name[0]) ? static_cast<char>(name[0] | 0x20)
                                                                : ' ';
}

// Those of a line of names: between semicolons, commas or tabs, or else between blanks, without units.
std::vector<char> letters_of(std::string_view line) {
  std::vector<char> letters;
  for (const char* separator : {";", ",", "\t"}) {
    if (line.find(separator) == std::string_view::npos) continue;
    for (const std::string_view name : words_of(line, separator))
      letters.push_back(letter_of(name));
    return letters;
  }
  for (const std::string_view name : words_of(line, " "))
    if (name[0] != '[' && name[0] != '(') letters.push_back(letter_of(name));
  return letters;
}

// Which columns are y and z: those that are named so; of two the first and the second; of three
// those beside one that is the same in all lines, as of a slice x, y, z.
std::optional<std::array<std::size_t, 2>> columns_of_table(const Rows& rows,
                                                           const std::vector<char>& names) {
  const std::size_t width = rows.front().size();
  const auto named = [&](char letter) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), letter) - names.begin());
  };
  if (names.size() == width && named('y') < width && named('z') < width)
    return std::array{named('y'), named('z')};
  if (width == 2) return std::array<std::size_t, 2>{0, 1};
  if (width != 3) return std::nullopt;
  const auto same = [&](std::size_t column) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const auto& row) { return row[column] == rows.front()[column]; });
  };
  constexpr std::size_t kFewest = 5;
  if (rows.size() < kFewest || same(1)) return std::nullopt;
  if (same(0) && !same(2)) return std::array<std::size_t, 2>{1, 2};
  if (same(2) && !same(0)) return std::array<std::size_t, 2>{0, 1};
  return std::nullopt;
}

}  // namespace

ProfileFileContent read_profile_table(const ProfileText& text) {
  bool named = false;
  std::vector<char> names;
  Rows rows;
  std::size_t first = 0;  // line
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = before_comment(text.lines[i], "#%!");
    const auto words = words_of(line, " \t,;");
    if (words.empty()) continue;
    if (rows.empty() && !named && !number_of(words.front()) && is_line_of_names(line, words)) {
      named = true;
      names = letters_of(line);
      continue;
    }
    if (const std::string_view word = decimal_comma(line); !word.empty())
      refuse_profile(text.path, i + 1,
                     in_quotes(word) + " has a decimal comma; accepted: decimal points");
    std::vector<double> numbers = numbers_of(text, i + 1, words, 2);
    if (rows.empty())
      first = i + 1;
    else if (numbers.size() != rows.front().size())
      refuse_profile(text.path, i + 1,
                     fmt::format("has {} numbers, the lines before it have {}", numbers.size(),
                                 rows.front().size()));
    rows.push_back(std::move(numbers));
  }
  ProfileFileContent content;
  if (rows.empty()) return content;
  const auto columns = columns_of_table(rows, names);
  if (!columns)
    refuse_profile(text.path, first,
                   fmt::format("has {} numbers; accepted: two columns y and z, with decimal "
                               "points, or a first line with the names of the columns",
                               rows.front().size()));
  for (const std::vector<double>& row : rows)
    content.points.push_back({row[(*columns)[0]], row[(*columns)[1]]});
  return content;
}

}  // namespace slipfield
