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
  char letter = ' ';      // x, y, z or another that it is named by; ' ': no word is known
  bool is_whole = false;  // the letter is all of the name: y or Y [mm], not y_nominal
  std::string unit;
};

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

// The letter that a word stands for; ' ': none.
char letter_of_word(const std::string& word) {
  for (const char* y : {"lateral", "width", "breadth"})
    if (word == y) return 'y';
  for (const char* z : {"vertical", "height", "depth", "elevation"})
    if (word == z) return 'z';
  return word.size() == 1 || (word.size() == 3 && word.ends_with("mm")) ? word[0] : ' ';
}

// "y", "Y[mm]", "\"z (mm)\"", "Rail Z", "Zmm": of the words in front of a bracket the first that is known.
ColumnName column_name(std::string_view name) {
  const std::string unit = unit_of(name);
  name = name.substr(0, name.find_first_of("[("));
  ColumnName found{' ', false, unit};
  int words = 0;
  for (const std::string_view word : words_of(name, "{}\"' \t_-./")) {
    ++words;
    const bool plain = std::ranges::all_of(word, is_ascii_letter);
    if (found.letter == ' ' && plain) found.letter = letter_of_word(lower_case(word));
  }
  found.is_whole = found.letter != ' ' && (words == 1 || (words == 2 && !unit.empty()));
  return found;
}

// The names in a line, between semicolons, commas or tabs, or else between blanks.
std::vector<ColumnName> column_names(std::string_view line) {
  std::vector<ColumnName> names;
  for (const char* separator : {";", ",", "\t"}) {
    if (line.find(separator) == std::string_view::npos) continue;
    for (const std::string_view name : words_of(line, separator))
      names.push_back(column_name(name));
    return names;
  }
  for (const std::string_view name : words_of(line, " ")) {
    if (name[0] != '[' && name[0] != '(')
      names.push_back(column_name(name));
    else if (!names.empty())
      names.back().unit = unit_of(name);
  }
  return names;
}

// The column that is named by the letter alone, or else the first one whose name has it.
std::size_t column_named(const std::vector<ColumnName>& names, char letter) {
  auto found = std::ranges::find_if(
      names, [&](const ColumnName& name) { return name.letter == letter && name.is_whole; });
  if (found == names.end()) found = std::ranges::find(names, letter, &ColumnName::letter);
  return static_cast<std::size_t>(found - names.begin());
}

// Several columns of one name: which of them is measured, the file does not say.
bool is_named_twice(const std::vector<ColumnName>& names, char letter) {
  const auto all = std::ranges::count(names, letter, &ColumnName::letter);
  const auto whole = std::ranges::count_if(
      names, [&](const ColumnName& name) { return name.letter == letter && name.is_whole; });
  return all > 1 && whole != 1;
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

// "# z y" above the points, as NumPy's savetxt writes names: where z and y or x are among the words.
std::vector<ColumnName> names_in_comment(std::string_view line) {
  const std::size_t start = line.find_first_not_of("#%! \t");
  if (start == std::string_view::npos) return {};
  const auto names = column_names(line.substr(start));
  const auto has = [&](char letter) { return column_named(names, letter) < names.size(); };
  const bool both = has('z') && (has('y') || has('x'));
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

// The columns' names from the lines above the points: of as many names as columns, the last line of those
// that have most of the letters among them.
std::vector<ColumnName> names_of_lines(const std::vector<std::string_view>& lines,
                                       std::size_t width) {
  std::vector<ColumnName> names;
  std::ptrdiff_t known = 0;
  for (const std::string_view line : lines) {
    const std::vector<std::string> units = units_of_line(line);
    if (units.size() == width) {
      names.resize(width);
      for (std::size_t i = 0; i < width; ++i) names[i].unit = units[i];
      continue;
    }
    const auto found = column_names(line);
    const auto letters = std::ranges::count_if(
        found, [](const ColumnName& name) { return name.letter >= 'x' && name.letter <= 'z'; });
    if (found.size() != width || letters < known) continue;
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

// The lines of a table: names, a title and the like above the points.
struct TableLines {
  std::vector<std::string_view> above;
  std::size_t first_above = 0;  // line
  std::vector<ColumnName> in_comment;
  std::string unit;
  std::optional<double> count;  // of points, as a line says
  std::size_t count_line = 0;
  Rows rows;
  std::size_t first = 0;  // line of the first row

  void take_comment(const std::string& line) {
    if (const std::string stated = unit_in_comment(line); !stated.empty())
      unit = stated;
    else if (auto names = names_in_comment(line); !names.empty())
      in_comment = std::move(names);
  }
  void take_title(std::size_t number, std::string_view line) {
    if (above.empty()) first_above = number;
    above.push_back(line);
    if (const std::string stated = unit_in_comment(line); !stated.empty()) unit = stated;
  }
  void take_row(const ProfileText& text, std::size_t number,
                const std::vector<std::string_view>& words) {
    std::vector<double> numbers = table_row(text, number, words);
    if (rows.empty())
      first = number;
    else if (numbers.size() != rows.front().size())
      refuse_profile(text.path, number,
                     fmt::format("has {} numbers, the lines before it have {}", numbers.size(),
                                 rows.front().size()));
    rows.push_back(std::move(numbers));
  }
};

bool is_title(std::string_view line, const std::vector<std::string_view>& words) {
  const bool word = words.size() == 1 && std::ranges::any_of(words.front(), is_ascii_letter) &&
                    !is_missing(words.front());  // "60E1" is a rail, and 600 in other letters
  return word || (!number_of(words.front()) && is_line_of_names(line, words));
}

TableLines table_lines(const ProfileText& text) {
  TableLines table;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = before_comment(text.lines[i], "#%!");
    const bool above = table.rows.empty();
    auto words = words_of(line, " \t,;");
    if (!words.empty() && words.front().size() > 2 && words.front()[0] == '"' &&
        number_of(words.front().substr(1, words.front().size() - 2)))
      words = words_of(line, " \t,;\"");
    if (words.empty()) {
      if (above && !text.lines[i].empty()) table.take_comment(text.lines[i]);
      continue;
    }
    if (above && is_title(line, words)) {
      table.take_title(i + 1, line);
      continue;
    }
    if (const std::string_view word = decimal_comma(line); !word.empty())
      refuse_profile(text.path, i + 1,
                     in_quotes(word) + " has a decimal comma; accepted: decimal points");
    const auto count = above && !table.count ? count_of_points(words) : std::nullopt;
    if (count) {
      table.count = count;
      table.count_line = i + 1;
    } else {
      table.take_row(text, i + 1, words);
    }
  }
  return table;
}

void check_count(const ProfileText& text, const TableLines& table) {
  if (table.rows.empty() && !table.above.empty())
    refuse_profile(
        text.path, table.first_above,
        "begins with " + in_quotes(words_of(table.above.front(), " \t,;").front()) +
            ", and no line below it with a number; accepted: y and z of a point in each line");
  if (!table.rows.empty() && table.count && *table.count != static_cast<double>(table.rows.size()))
    refuse_profile(
        text.path, table.count_line,
        fmt::format("says {:.15g} points, and {} follow; accepted: the count of the points, or "
                    "no such line",
                    *table.count, table.rows.size()));
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
  const TableLines table = table_lines(text);
  check_count(text, table);
  ProfileFileContent content;
  if (table.rows.empty()) return content;
  const std::size_t width = table.rows.front().size();
  auto names = names_of_lines(table.above, width);
  const auto is_known = [](const ColumnName& name) { return name.letter != ' '; };
  if (std::ranges::none_of(names, is_known) && table.in_comment.size() == width)
    names = table.in_comment;
  if (names.size() == width && (is_named_twice(names, 'y') || is_named_twice(names, 'z')))
    refuse_profile(text.path, table.first,
                   "is below names that give several columns y or z; accepted: one of each");
  const auto columns = columns_of_table(table.rows, names);
  if (!columns)
    refuse_profile(
        text.path, table.first,
        width == 2
            ? std::string("is below names of columns that leave open which is y and which z; "
                          "accepted: y and z, or x and y")
            : fmt::format("has {} numbers; accepted: two columns y and z, with decimal "
                          "points, or a first line with the names of the columns",
                          width));
  content.stated_unit = stated_unit(text, names, *columns);
  if (content.stated_unit.empty()) content.stated_unit = table.unit;
  take_points(text, table.rows, *columns, content);
  return content;
}

}  // namespace slipfield
