// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

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

struct ColumnName {
  char letter = ' ';  // x, y, z or another that it is named by; ' ': a word that is not known
  std::string unit;
};

// "y", "Y[mm]", "\"z (mm)\"": the letter that a column is named by; some words stand for y and z.
char letter_of(std::string_view name) {
  while (!name.empty() && std::string_view("{\"' \t").find(name[0]) != std::string_view::npos)
    name.remove_prefix(1);
  const auto end = std::find_if_not(name.begin(), name.end(), is_ascii_letter);
  const std::string word = lower_case({name.data(), static_cast<std::size_t>(end - name.begin())});
  for (const char* y : {"lateral", "width", "breadth"})
    if (word == y) return 'y';
  for (const char* z : {"vertical", "height", "depth"})
    if (word == z) return 'z';
  const bool alone = word.size() == 1 && (name.size() == 1 || !is_decimal_digit(name[1]));
  return alone ? word[0] : ' ';
}

// What is in the brackets of "Y [mm]", "z(mm)", or the unit behind the stroke of "y_mm".
std::string unit_of(std::string_view name) {
  const std::size_t open = name.find_first_of("[(");
  if (open == std::string_view::npos) {
    const std::string_view last = name.substr(name.find_last_of('_') + 1);
    return last.size() < name.size() && millimetres_of(last) ? std::string(last) : std::string();
  }
  const std::size_t close = std::min(name.find_first_of("])", open), name.size());
  return std::string(name.substr(open + 1, close - open - 1));
}

// The names in a line, between semicolons, commas or tabs, or else between blanks.
std::vector<ColumnName> column_names(std::string_view line) {
  std::vector<ColumnName> names;
  for (const char* separator : {";", ",", "\t"}) {
    if (line.find(separator) == std::string_view::npos) continue;
    for (const std::string_view name : words_of(line, separator))
      names.push_back({letter_of(name), unit_of(name)});
    return names;
  }
  for (const std::string_view name : words_of(line, " ")) {
    if (name[0] != '[' && name[0] != '(')
      names.push_back({letter_of(name), unit_of(name)});
    else if (!names.empty())
      names.back().unit = unit_of(name);
  }
  return names;
}

std::size_t column_named(const std::vector<ColumnName>& names, char letter) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const ColumnName& name) { return name.letter == letter; });
  return static_cast<std::size_t>(found - names.begin());
}

// The one of two columns that is not named z is y. "x y" are y and z.
std::optional<std::array<std::size_t, 2>> columns_of_two(const std::vector<ColumnName>& names) {
  const std::array<std::size_t, 2> as_they_are{0, 1};
  if (names.size() != 2) return as_they_are;
  const std::size_t x = column_named(names, 'x');
  const std::size_t y = column_named(names, 'y');
  const std::size_t z = column_named(names, 'z');
  if (z == 0 && names[1].letter == ' ') return std::nullopt;  // a title such as "Z profile"?
  if (z < 2) return std::array<std::size_t, 2>{1 - z, z};
  if (x == 1 || (y == 1 && x != 0)) return std::nullopt;
  return as_they_are;
}

// Which columns are y and z: those that are named so; of two the first and the second; of three
// the two besides one that is the same in all lines, as in a slice x, y, z.
std::optional<std::array<std::size_t, 2>> columns_of_table(const Rows& rows,
                                                           const std::vector<ColumnName>& names) {
  const std::size_t width = rows.front().size();
  const std::size_t y = column_named(names, 'y');
  const std::size_t z = column_named(names, 'z');
  if (names.size() == width && y < width && z < width) return std::array{y, z};
  const std::size_t x = column_named(names, 'x');  // as a scanner names what is across the rail
  if (names.size() == width && x < width && z < width) return std::array{x, z};
  if (width == 2) return columns_of_two(names);
  if (width != 3) return std::nullopt;
  const auto same = [&](std::size_t column) {
    double value = std::numeric_limits<double>::quiet_NaN();
    return std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
      if (std::isnan(value)) value = row[column];
      return std::isnan(row[column]) || row[column] == value;
    });
  };
  constexpr std::size_t kFewest = 5;
  if (rows.size() < kFewest || same(1)) return std::nullopt;
  if (same(0) && !same(2)) return std::array<std::size_t, 2>{1, 2};
  if (same(2) && !same(0)) return std::array<std::size_t, 2>{0, 1};
  return std::nullopt;
}

// "# z y" above the points, as NumPy's savetxt writes names: where y and z are among as many words.
std::vector<ColumnName> names_in_comment(std::string_view line) {
  const std::size_t start = line.find_first_not_of("#%! \t");
  if (start == std::string_view::npos) return {};
  const auto names = column_names(line.substr(start));
  const bool both =
      column_named(names, 'y') < names.size() && column_named(names, 'z') < names.size();
  return both ? names : std::vector<ColumnName>{};
}

// "# units: inch", "LENGTH = 'mm'" above the points.
std::string unit_in_comment(std::string_view line) {
  const auto words = words_of(line, "#%! \t:=");
  const std::string key = words.empty() ? std::string() : lower_case(words[0]);
  const bool stated = words.size() == 2 && (key.starts_with("unit") || key == "length");
  return stated && millimetres_of(words[1]) ? std::string(words[1]) : std::string();
}

// "[mm] [mm]": the units of the columns, in a line below their names; empty where it is none.
std::vector<std::string> units_of_line(std::string_view line) {
  std::vector<std::string> units;
  for (const std::string_view word : words_of(line, " \t,;")) {
    if (word[0] != '[' && word[0] != '(') return {};
    units.push_back(unit_of(word));
  }
  return units;
}

// The columns' names from the lines above the points: of as many names as columns, the last line that
// has one of the letters among them, else the last.
std::vector<ColumnName> names_of_lines(const std::vector<std::string_view>& lines,
                                       std::size_t width) {
  std::vector<ColumnName> names;
  bool known = false;
  for (const std::string_view line : lines) {
    const std::vector<std::string> units = units_of_line(line);
    if (units.size() == width) {
      names.resize(width);
      for (std::size_t i = 0; i < width; ++i) names[i].unit = units[i];
      continue;
    }
    const auto found = column_names(line);
    const bool letters = std::any_of(found.begin(), found.end(), [](const ColumnName& name) {
      return name.letter >= 'x' && name.letter <= 'z';
    });
    if (found.size() != width || (known && !letters)) continue;
    names = found;
    known = letters;
  }
  return names;
}

// The unit behind the names of both columns.
std::string stated_unit(const ProfileText& text, const std::vector<ColumnName>& names,
                        const std::array<std::size_t, 2>& columns) {
  if (std::max(columns[0], columns[1]) >= names.size()) return {};
  const std::string& y = names[columns[0]].unit;
  const std::string& z = names[columns[1]].unit;
  const auto of_y = millimetres_of(y);
  const auto of_z = millimetres_of(z);
  if (of_y && of_z && *of_y != *of_z)
    refuse_profile(
        text.path, 0,
        fmt::format("has one column in {} and the other in {}; accepted: one unit", y, z));
  return of_y ? y : z;
}

// nan stands for places that were not measured.
bool is_missing(std::string_view word) {
  const std::string name = lower_case(word);
  return name == "nan" || name == "-nan" || name == "+nan";
}

// The numbers of a line, not a number where nothing was measured.
std::vector<double> table_row(const ProfileText& text, std::size_t line,
                              std::vector<std::string_view> words) {
  constexpr std::string_view kPlaceholder = "0";
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (is_missing(words[i])) {
      words[i] = kPlaceholder;
      missing.push_back(i);
    }
  std::vector<double> numbers = numbers_of(text, line, words, 2);
  for (const std::size_t i : missing) numbers[i] = std::numeric_limits<double>::quiet_NaN();
  return numbers;
}

// "495" alone above the points: how many they are.
std::optional<double> count_of_points(const std::vector<std::string_view>& words) {
  if (words.size() != 1 || !std::ranges::all_of(words.front(), is_decimal_digit))
    return std::nullopt;
  return number_of(words.front());
}

void take_points(const ProfileText& text, const Rows& rows,
                 const std::array<std::size_t, 2>& columns, ProfileFileContent& content) {
  for (const std::vector<double>& row : rows)
    if (!std::isnan(row[columns[0]]) && !std::isnan(row[columns[1]]))
      content.points.push_back({row[columns[0]], row[columns[1]]});
  if (content.points.empty()) refuse_profile(text.path, 0, "holds no points but nan");
  const std::size_t missing = rows.size() - content.points.size();
  if (missing > 0)
    content.warnings.push_back(
        fmt::format("{} of its {} points are nan, and are left out", missing, rows.size()));
}

}  // namespace

ProfileFileContent read_profile_table(const ProfileText& text) {
  std::vector<std::string_view> above;  // lines of names, a title and the like
  std::size_t first_above = 0;
  std::vector<ColumnName> in_comment;
  std::string unit_above;
  Rows rows;
  std::size_t first = 0;  // line
  std::optional<double> count;
  std::size_t count_line = 0;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = before_comment(text.lines[i], "#%!");
    auto words = words_of(line, " \t,;");
    if (!words.empty() && words.front().size() > 2 && words.front()[0] == '"' &&
        number_of(words.front().substr(1, words.front().size() - 2)))
      words = words_of(line, " \t,;\"");
    if (words.empty()) {
      if (!rows.empty() || text.lines[i].empty()) continue;
      const std::string unit = unit_in_comment(text.lines[i]);
      if (unit.empty())
        in_comment = names_in_comment(text.lines[i]);
      else
        unit_above = unit;
      continue;
    }
    const bool title = words.size() == 1 && std::ranges::any_of(words.front(), is_ascii_letter) &&
                       !is_missing(words.front());  // "60E1" is a rail, and 600 in other letters
    if (rows.empty() && (title || (!number_of(words.front()) && is_line_of_names(line, words)))) {
      if (above.empty()) first_above = i + 1;
      above.push_back(line);
      if (const std::string unit = unit_in_comment(line); !unit.empty()) unit_above = unit;
      continue;
    }
    if (const std::string_view word = decimal_comma(line); !word.empty())
      refuse_profile(text.path, i + 1,
                     in_quotes(word) + " has a decimal comma; accepted: decimal points");
    if (rows.empty() && !count && (count = count_of_points(words))) {
      count_line = i + 1;
      continue;
    }
    std::vector<double> numbers = table_row(text, i + 1, words);
    if (rows.empty())
      first = i + 1;
    else if (numbers.size() != rows.front().size())
      refuse_profile(text.path, i + 1,
                     fmt::format("has {} numbers, the lines before it have {}", numbers.size(),
                                 rows.front().size()));
    rows.push_back(std::move(numbers));
  }
  ProfileFileContent content;
  if (rows.empty() && !above.empty())
    refuse_profile(
        text.path, first_above,
        "begins with " + in_quotes(words_of(above.front(), " \t,;").front()) +
            ", and no line below it with a number; accepted: y and z of a point in each line");
  if (rows.empty()) return content;
  if (count && *count != static_cast<double>(rows.size()))
    refuse_profile(
        text.path, count_line,
        fmt::format("says {:.15g} points, and {} follow; accepted: the count of the points, or "
                    "no such line",
                    *count, rows.size()));
  auto names = names_of_lines(above, rows.front().size());
  if (above.empty() && in_comment.size() == rows.front().size()) names = std::move(in_comment);
  const auto columns = columns_of_table(rows, names);
  if (!columns)
    refuse_profile(text.path, first,
                   rows.front().size() == 2
                       ? std::string("has names of columns that leave open which is y and which z; "
                                     "accepted: y and z, or x and y")
                       : fmt::format("has {} numbers; accepted: two columns y and z, with decimal "
                                     "points, or a first line with the names of the columns",
                                     rows.front().size()));
  content.stated_unit = stated_unit(text, names, *columns);
  if (content.stated_unit.empty()) content.stated_unit = unit_above;
  take_points(text, rows, *columns, content);
  return content;
}

}  // namespace slipfield
