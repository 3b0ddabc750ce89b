// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "io/axis_names.h"
#include "io/decimal_comma.h"
#include "io/profiles/cells.h"
#include "io/profiles/formats.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

using Rows = std::vector<std::vector<double>>;

bool is_numeric(std::string_view cell) { return reads_as_number(cell) || has_decimal_comma(cell); }

// A line of names: its first word is a name, such as y, "y" or [mm], not a misread number.
bool is_line_of_names(std::string_view line, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string name = lower_case(word);
    for (const char* number : {"nan", "inf", "+nan", "-nan", "+inf", "-inf", "infinity"})
      if (name == number) return false;
  }
  const char first = line[line.find_first_not_of(" \t,;")];
  return is_ascii_letter(first) ||
         std::string_view("\"'([{_*/").find(first) != std::string_view::npos ||
         std::none_of(line.begin(), line.end(), is_decimal_digit);
}

struct ColumnName {
  char letter = ' ';      // x, y, z or another that it is named by; ' ': no word is known
  bool is_whole = false;  // the letter is the entire name: y or Y [mm], not y_nominal
  std::string unit;
  std::string text = {};  // as the file has it
  char separator = ' ';   // from others
  bool is_word = false;   // named by a word, not by a letter
};

bool is_coordinate(const ColumnName& name) { return name.letter >= 'x' && name.letter <= 'z'; }

// The text in the brackets of "Y [mm]", "z(mm)", or the unit after the underscore of "y_mm".
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
  if (std::ranges::find(kAcross, word) != kAcross.end()) return 'y';
  if (std::ranges::find(kUpwards, word) != kUpwards.end()) return 'z';
  return word.size() == 1 || (word.size() == 3 && word.ends_with("mm")) ? word[0] : ' ';
}

// "y", "Y[mm]", "\"z (mm)\"", "Rail Z", "Zmm": uses the first known word before a bracket.
ColumnName column_name(std::string_view name) {
  const std::string unit = unit_of(name);
  ColumnName found{' ', false, unit, std::string(name)};
  name = name.substr(0, name.find_first_of("[("));
  int words = 0;
  for (const std::string_view word : words_of(name, "{}\"' \t_-./")) {
    ++words;
    const std::string plain = plain_letters(word);
    if (found.letter != ' ' || !std::ranges::all_of(plain, is_ascii_letter)) continue;
    found.letter = letter_of_word(plain);
    found.is_word = found.letter != ' ' && found.letter != plain[0];
  }
  found.is_whole = found.letter != ' ' && (words == 1 || (words == 2 && !unit.empty()));
  return found;
}

// A word such as width names an axis only if no letter does.
void prefer_letters(std::vector<ColumnName>& names) {
  const auto has = [&](std::string_view letters) {
    return std::ranges::any_of(names, [&](const ColumnName& name) {
      return !name.is_word && letters.find(name.letter) != std::string_view::npos;
    });
  };
  const bool across = has("xy");
  const bool upwards = has("z");
  for (ColumnName& name : names)
    if (name.is_word && (name.letter == 'z' ? upwards : across)) {
      name.letter = ' ';
      name.is_whole = false;
    }
}

// The names in a line, separated by semicolons, commas or tabs, or else by blanks. With separators
// other than blanks a name may be empty.
std::vector<ColumnName> column_names(std::string_view line) {
  std::vector<ColumnName> names;
  for (const char separator : {';', ',', '\t'}) {
    const auto cells = split_cells(line, separator);
    if (cells.size() < 2) continue;
    for (const std::string& name : cells) {
      names.push_back(column_name(name));
      names.back().separator = separator;
    }
    prefer_letters(names);
    return names;
  }
  for (const std::string_view name : words_of(line, " ")) {
    if (name[0] != '[' && name[0] != '(')
      names.push_back(column_name(name));
    else if (!names.empty())
      names.back().unit = unit_of(name);
  }
  prefer_letters(names);
  return names;
}

// The column whose name is the letter alone, or else the first one whose name contains it.
std::size_t column_named(const std::vector<ColumnName>& names, char letter) {
  auto found = std::ranges::find_if(
      names, [&](const ColumnName& name) { return name.letter == letter && name.is_whole; });
  if (found == names.end()) found = std::ranges::find(names, letter, &ColumnName::letter);
  return static_cast<std::size_t>(found - names.begin());
}

// Whether several columns have one name: the file does not say which of them is measured.
bool is_named_twice(const std::vector<ColumnName>& names, char letter) {
  const auto all = std::ranges::count(names, letter, &ColumnName::letter);
  const auto whole = std::ranges::count_if(
      names, [&](const ColumnName& name) { return name.letter == letter && name.is_whole; });
  return all > 1 && whole != 1;
}

// If one of two columns is named z, the other one is y. "x y" are y and z.
std::optional<std::array<std::size_t, 2>> columns_of_two(const std::vector<ColumnName>& names) {
  const std::array<std::size_t, 2> as_they_are{0, 1};
  if (names.size() != 2) return as_they_are;
  // "Altitude 500", "Hauteur rail": a title with one such word.
  const auto is_title = [&](const ColumnName& word, const ColumnName& other) {
    return word.is_word && other.letter == ' ' && (word.separator == ' ' || is_numeric(other.text));
  };
  if (is_title(names[0], names[1]) || is_title(names[1], names[0])) return as_they_are;
  const std::size_t x = column_named(names, 'x');
  const std::size_t y = column_named(names, 'y');
  const std::size_t z = column_named(names, 'z');
  if (z == 0 && names[1].letter == ' ') return std::nullopt;  // a title such as "Z profile"?
  if (z < 2) return std::array<std::size_t, 2>{1 - z, z};
  if (x == 1 || (y == 1 && x != 0)) return std::nullopt;
  return as_they_are;
}

// Returns which columns are y and z: those named so; of two columns the first and the second; of
// three those other than one that is constant, as in a slice x, y, z.
std::optional<std::array<std::size_t, 2>> columns_of_table(const Rows& rows,
                                                           const std::vector<ColumnName>& names) {
  const std::size_t width = rows.front().size();
  const std::size_t y = column_named(names, 'y');
  const std::size_t z = column_named(names, 'z');
  if (names.size() == width && y < width && z < width) return std::array{y, z};
  const std::size_t x = column_named(names, 'x');  // x: a scanner's name for across the rail
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

// "# z y" above the points, as written by NumPy's savetxt: names if z and y or x are among the
// words.
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

// "[mm] [mm]": the units of the columns in a line below their names; empty for other lines.
std::vector<std::string> units_of_line(std::string_view line) {
  std::vector<std::string> units;
  for (const std::string_view word : words_of(line, " \t,;")) {
    if (word[0] != '[' && word[0] != '(') return {};
    units.push_back(unit_of(word));
  }
  return units;
}

// Adjusts the names to one per used column if their number matches, with or without unused columns;
// else several tabs may align them.
bool fit_names(std::vector<ColumnName>& names, const CellTable& table) {
  const std::size_t width = table.rows.front().cells.size();
  if (names.size() == width) return true;
  const auto is_empty = [](const ColumnName& name) { return name.text.empty(); };
  std::vector<ColumnName> filled = names;
  std::erase_if(filled, is_empty);
  if (names.size() == width + table.no_use.size())
    for (const std::size_t column : table.no_use)
      names.erase(names.begin() + static_cast<std::ptrdiff_t>(column));
  while (names.size() > width && is_empty(names.back())) names.pop_back();
  if (filled.size() == width) names = std::move(filled);
  return names.size() == width;
}

// The columns' names from the lines above the points: the last of those lines with as many names as
// columns that have the most letters among them.
std::vector<ColumnName> names_of_lines(const std::vector<std::string>& lines,
                                       const CellTable& table) {
  const std::size_t width = table.rows.front().cells.size();
  std::vector<ColumnName> names;
  std::ptrdiff_t known = 0;
  for (const std::string& line : lines) {
    const std::vector<std::string> units = units_of_line(line);
    if (units.size() == width) {
      names.resize(width);
      for (std::size_t i = 0; i < width; ++i) names[i].unit = units[i];
      continue;
    }
    auto found = column_names(line);
    if (!fit_names(found, table)) continue;
    const auto letters = std::ranges::count_if(found, is_coordinate);
    if (letters < known) continue;
    names = std::move(found);
    known = letters;
  }
  return names;
}

// Warns of names, other than a title, that do not decide which column is y and which z.
std::optional<std::string> warn_of_names(const std::vector<ColumnName>& names, char separator,
                                         const std::array<std::size_t, 2>& columns) {
  const auto is_name = [&](const ColumnName& name) {
    const bool begins = !name.text.empty() && (is_ascii_letter(name.text[0]) ||
                                               static_cast<unsigned char>(name.text[0]) >= 0x80);
    // Between blanks they may be words of a title.
    const bool is_no_word = name.text.find_first_of("_[(0123456789") != std::string::npos;
    return begins && name.separator == separator && (separator != ' ' || is_no_word);
  };
  if (std::max(columns[0], columns[1]) >= names.size() ||
      std::ranges::any_of(names, is_coordinate) || !std::ranges::all_of(names, is_name))
    return std::nullopt;
  return fmt::format(
      "its columns {} and {} are taken as y and z, of which their names say nothing; accepted "
      "names: y and z, x and z, lateral and vertical, width and height, and these words in German, "
      "French or Italian",
      in_quotes(names[columns[0]].text), in_quotes(names[columns[1]].text));
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

// "495" alone above the points: how many they are.
std::optional<double> count_of_points(const std::vector<std::string>& words) {
  if (words.size() != 1 || !std::ranges::all_of(words.front(), is_decimal_digit))
    return std::nullopt;
  return number_of(words.front());
}

// Refuses names with z before y whose number differs from the columns, which leaves the order open.
void refuse_misfit(const ProfileText& text, const std::vector<ColumnName>& names,
                   const CellTable& table) {
  const std::size_t width = table.rows.front().cells.size();
  const std::size_t z = column_named(names, 'z');
  const std::size_t y = std::min(column_named(names, 'y'), column_named(names, 'x'));
  if (y >= names.size() || z > y || names.size() == width) return;
  if (names[z].separator == ' ' || !names[z].is_whole || !names[y].is_whole) return;
  refuse_profile(
      text.path, table.rows.front().line,
      fmt::format("has {} numbers below {} names, {} and {} among them; accepted: a "
                  "name for each column",
                  width, names.size(), in_quotes(names[z].text), in_quotes(names[y].text)));
}

// The lines of a table: names, a title and the like above the points.
struct TableLines {
  std::vector<std::string> above;
  std::size_t first_above = 0;  // line
  std::vector<ColumnName> in_comment;
  std::string unit;
  std::optional<double> count;  // of points, as a line says
  std::size_t count_line = 0;
  std::vector<CellLine> rows;

  void take_comment(const std::string& line) {
    if (const std::string stated = unit_in_comment(line); !stated.empty())
      unit = stated;
    else if (auto names = names_in_comment(line); !names.empty())
      in_comment = std::move(names);
  }
  void take_title(std::size_t number, std::string_view line) {
    if (above.empty()) first_above = number;
    above.emplace_back(line);
    if (const std::string stated = unit_in_comment(line); !stated.empty()) unit = stated;
  }
};

bool is_title(std::string_view line, const std::vector<std::string>& words) {
  const bool word = words.size() == 1 && std::ranges::any_of(words.front(), is_ascii_letter) &&
                    !is_missing(words.front());  // "60E1" is a rail, and 600 in other letters
  return word || (!is_numeric(words.front()) && is_line_of_names(line, words));
}

// "P1;-30;1.8" below "point;y;z": numbers in the columns of these names.
bool is_row_below(const std::string& head, std::string_view line) {
  const auto names = column_names(head);
  const std::size_t z = column_named(names, 'z');
  const std::size_t y = std::min(column_named(names, 'y'), column_named(names, 'x'));
  if (std::max(y, z) >= names.size()) return false;
  return std::ranges::any_of(std::string_view(";\t,"), [&](char separator) {
    const auto cells = split_cells(line, separator);
    return cells.size() == names.size() && is_numeric(cells[y]) && is_numeric(cells[z]);
  });
}

TableLines table_lines(const ProfileText& text) {
  TableLines table;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string whole = without_spreadsheet_errors(text.lines[i]);
    const std::string_view line = before_comment(whole, "#%!");
    const bool above = table.rows.empty();
    const auto words = quoted_words(line);
    if (words.empty()) {
      if (above && !whole.empty()) table.take_comment(whole);
      continue;
    }
    if (above && is_title(line, words) &&
        std::ranges::none_of(table.above,
                             [&](const std::string& head) { return is_row_below(head, line); })) {
      table.take_title(i + 1, line);
      continue;
    }
    const auto count = above && !table.count ? count_of_points(words) : std::nullopt;
    if (count) {
      table.count = count;
      table.count_line = i + 1;
    } else {
      table.rows.push_back({i + 1, std::string(line)});
    }
  }
  return table;
}

// The numbers of the cells; NaN if there is none.
Rows numbers_of_rows(const CellTable& table) {
  Rows rows;
  for (const CellRow& row : table.rows) {
    std::vector<double>& numbers = rows.emplace_back();
    for (const std::string& cell : row.cells)
      numbers.push_back(number_of(cell).value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return rows;
}

// Words in columns other than y and z require names that identify the columns.
void refuse_words(const ProfileText& text, const CellTable& table, bool named,
                  const std::array<std::size_t, 2>& columns) {
  for (const CellRow& row : table.rows)
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool counts = !named || i == columns[0] || i == columns[1];
      if (counts && !number_of(row.cells[i]) && !is_missing(row.cells[i]))
        refuse_profile(text.path, row.line,
                       in_quotes(row.cells[i]) + " is not a number; accepted: y and z");
    }
}

void check_count(const ProfileText& text, const TableLines& table, std::size_t rows) {
  if (table.rows.empty() && !table.above.empty())
    refuse_profile(
        text.path, table.first_above,
        "begins with " + in_quotes(quoted_words(table.above.front()).front()) +
            ", and no line below it with a number; accepted: y and z of a point in each line");
  if (rows > 0 && table.count && *table.count != static_cast<double>(rows))
    refuse_profile(
        text.path, table.count_line,
        fmt::format("says {:.15g} points, and {} follow; accepted: the count of the points, or "
                    "no such line",
                    *table.count, rows));
}

// Recognises two numbers above the points, such as "60 1" of a rail UIC 60, 1:40, or a count and a
// radius: the step to the next point goes back further than any profile. The end of a straight face
// is on the other side.
bool is_title_of_numbers(const Rows& rows, const std::array<std::size_t, 2>& columns) {
  constexpr std::size_t kFewest = 5;
  if (rows.size() <= kFewest) return false;
  const std::size_t y = columns[0];
  double least = std::numeric_limits<double>::infinity();
  double greatest = -least;
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    least = std::min(least, (*row)[y]);  // not of nan
    greatest = std::max(greatest, (*row)[y]);
  }
  const double extent = greatest - least;
  const double step = rows[1][y] - rows[0][y];
  const double along = rows.back()[y] - rows[1][y];
  const bool outside = rows[0][y] < least || rows[0][y] > greatest;
  return outside && step * along < 0.0 && std::fabs(step) > 0.5 * extent &&
         std::fabs(along) > 0.5 * extent;
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

void warn_of_title(const CellRow& row, const std::string& why, std::vector<std::string>& warnings) {
  warnings.push_back(
      fmt::format("line {}, {}, is taken as a title and not as a point, as it {}; accepted: the "
                  "file without it",
                  row.line, in_quotes(row.text), why));
}

std::array<std::size_t, 2> find_columns(const ProfileText& text, const CellTable& table,
                                        const Rows& rows, const std::vector<ColumnName>& names) {
  const std::size_t width = rows.front().size();
  const std::size_t first = table.rows.front().line;
  if (names.size() == width && (is_named_twice(names, 'y') || is_named_twice(names, 'z')))
    refuse_profile(text.path, first,
                   "is below names that give several columns y or z; accepted: one of each");
  const auto columns = columns_of_table(rows, names);
  if (!columns)
    refuse_profile(
        text.path, first,
        width == 2
            ? std::string("is below names of columns that leave open which is y and which z; "
                          "accepted: y and z, or x and y")
            : fmt::format("has {} numbers; accepted: two columns y and z, with decimal "
                          "points, or a first line with the names of the columns",
                          width));
  return *columns;
}

}  // namespace

ProfileFileContent read_profile_table(const ProfileText& text) {
  const TableLines lines = table_lines(text);
  CellTable table = split_table(text, lines.rows);
  check_count(text, lines, table.rows.size());
  ProfileFileContent content;
  if (table.rows.empty()) return content;
  const std::size_t width = table.rows.front().cells.size();
  auto names = names_of_lines(lines.above, table);
  if (std::ranges::none_of(names, [](const auto& name) { return name.letter != ' '; }))
    if (auto in_comment = lines.in_comment; fit_names(in_comment, table)) names = in_comment;
  if (std::ranges::none_of(names, is_coordinate)) {
    for (const std::string& line : lines.above) refuse_misfit(text, column_names(line), table);
    refuse_misfit(text, lines.in_comment, table);
  }
  Rows rows = numbers_of_rows(table);
  const auto columns = find_columns(text, table, rows, names);
  for (const CellRow& row : table.titles)
    warn_of_title(row, fmt::format("has {} numbers and not {}", row.cells.size(), width),
                  content.warnings);
  if (is_title_of_numbers(rows, columns)) {
    const double away = std::fabs(rows[1][columns[0]] - rows[0][columns[0]]);
    warn_of_title(table.rows.front(),
                  fmt::format("is y = {:.6g} away from the next, against their direction", away),
                  content.warnings);
    table.rows.erase(table.rows.begin());
    rows.erase(rows.begin());
  }
  refuse_words(text, table, names.size() == width && width > 2, columns);
  if (auto warning = warn_of_names(names, table.separator, columns))
    content.warnings.push_back(std::move(*warning));
  if (table.decimal_commas) content.notes.emplace_back("its commas are decimal signs");
  content.stated_unit = stated_unit(text, names, columns);
  if (content.stated_unit.empty()) content.stated_unit = lines.unit;
  take_points(text, rows, columns, content);
  return content;
}

}  // namespace slipfield
