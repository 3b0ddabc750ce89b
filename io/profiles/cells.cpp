// SPDX-License-Identifier: Apache-2.0
#include "io/profiles/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "io/decimal_comma.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

constexpr std::string_view kCellBlanks = " \t\r";
constexpr std::string_view kCellSeparators = " \t,;";

std::string_view bare_cell(std::string_view cell) {
  const auto trim = [&] {
    const std::size_t first = cell.find_first_not_of(kCellBlanks);
    cell = first == std::string_view::npos
               ? std::string_view()
               : cell.substr(first, cell.find_last_not_of(kCellBlanks) + 1 - first);
  };
  trim();
  while (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') {
    cell = cell.substr(1, cell.size() - 2);
    trim();
  }
  return cell;
}

// Pieces between any of the separators that are not in quotes.
std::vector<std::string_view> pieces_of(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> pieces;
  std::size_t start = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const bool end =
        i == line.size() || (!quoted && separators.find(line[i]) != std::string_view::npos);
    if (end) {
      pieces.push_back(line.substr(start, i - start));
      start = i + 1;
    } else if (line[i] == '"') {
      quoted = !quoted;
    }
  }
  return pieces;
}

// Each line has the separator, and each cell one word.
bool separates(const std::vector<CellLine>& lines, char separator) {
  const auto is_one = [](const std::string& cell) {
    const std::size_t end = cell.find_first_of(kCellSeparators);
    return end == std::string::npos || !number_of(cell.substr(0, end)) || has_decimal_comma(cell);
  };
  return std::ranges::all_of(lines, [&](const CellLine& line) {
    const auto cells = split_cells(line.text, separator);
    return cells.size() > 1 && std::ranges::all_of(cells, is_one);
  });
}

// Whether commas between blanks are decimal: every word with a comma is then a number.
bool has_words_with_commas(const std::vector<CellLine>& lines) {
  bool some = false;
  for (const CellLine& line : lines)
    for (const std::string_view word : words_of(line.text, " \t;")) {
      const std::string_view bare = bare_cell(word);
      if (bare.find('.') != std::string_view::npos) return false;
      if (bare.find(',') == std::string_view::npos) continue;
      if (!has_decimal_comma(bare)) return false;
      some = true;
    }
  return some && std::ranges::all_of(lines, [](const CellLine& line) {
           return words_of(line.text, " \t;").size() > 1;
         });
}

// Spreadsheets write the empty cells at the end of a row, or omit them.
void fit_width(CellRow& row, std::size_t width) {
  while (row.cells.size() > width && row.cells.back().empty()) row.cells.pop_back();
  if (row.cells.size() > 1 && row.cells.size() < width && row.cells.back().empty())
    row.cells.resize(width);
}

// The width of most rows, without the last columns that are empty in all these rows.
std::size_t usual_width(const std::vector<CellRow>& rows) {
  std::map<std::size_t, std::size_t> counts;
  for (const CellRow& row : rows) ++counts[row.cells.size()];
  const std::size_t width =
      std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
  if (counts.size() == 1) return width;
  std::size_t filled = 0;
  for (const CellRow& row : rows) {
    std::size_t last = row.cells.size();
    while (last > 0 && row.cells[last - 1].empty()) --last;
    if (row.cells.size() == width) filled = std::max(filled, last);
  }
  return filled < 2 ? width : filled;
}

// A separator at the end of all lines separates nothing.
void strip_last_separator(std::vector<CellLine>& lines) {
  for (CellLine& line : lines) {
    const std::size_t last = line.text.find_last_not_of(" \r");
    line.text.erase(last == std::string::npos ? 0 : last + 1);
  }
  for (const char separator : {';', '\t', ','}) {
    if (!std::ranges::all_of(lines,
                             [&](const CellLine& line) { return line.text.ends_with(separator); }))
      continue;
    for (CellLine& line : lines) line.text.pop_back();
    return;
  }
}

// If tabs align columns, several of them count as one separator.
void join_tabs(CellTable& table) {
  const auto width = [](const CellRow& row) { return row.cells.size(); };
  const auto filled = [](const CellRow& row) {
    return row.cells.size() - static_cast<std::size_t>(std::ranges::count(row.cells, ""));
  };
  const auto equal = [&](const auto& count) {
    return std::ranges::all_of(
        table.rows, [&](const CellRow& row) { return count(row) == count(table.rows.front()); });
  };
  if (table.separator != '\t' || equal(width) || !equal(filled)) return;
  for (CellRow& row : table.rows)
    std::erase_if(row.cells, [](const std::string& cell) { return cell.empty(); });
}

void take_out_titles(CellTable& table, std::size_t width) {
  constexpr std::ptrdiff_t kMostTitles = 5;
  constexpr std::ptrdiff_t kFewestRows = 5;
  const auto first = std::ranges::find_if(
      table.rows, [&](const CellRow& row) { return row.cells.size() == width; });
  const auto titles = first - table.rows.begin();
  if (titles == 0 || titles > kMostTitles || table.rows.end() - first < kFewestRows) return;
  table.titles.assign(std::make_move_iterator(table.rows.begin()), std::make_move_iterator(first));
  table.rows.erase(table.rows.begin(), first);
}

void leave_out_empty_columns(CellTable& table) {
  const std::size_t width = table.rows.front().cells.size();
  for (std::size_t column = width; column-- > 0;) {
    if (!std::ranges::all_of(table.rows,
                             [&](const CellRow& row) { return row.cells[column].empty(); }))
      continue;
    table.no_use.push_back(column);
    for (CellRow& row : table.rows)
      row.cells.erase(row.cells.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

// "1,185" and "-30,000" in quotes, without one such as "0,9" or "0,903".
bool may_be_thousands(const CellTable& table) {
  constexpr std::size_t kOfThousands = 3;  // digits
  return std::ranges::all_of(table.rows, [](const CellRow& row) {
    return std::ranges::all_of(row.cells, [](const std::string& cell) {
      const std::size_t comma = cell.find(',');
      return !has_decimal_comma(cell) ||
             (comma + 1 + kOfThousands == cell.size() && cell.find_first_of("123456789") < comma);
    });
  });
}

void take_decimal_commas(const ProfileText& text, CellTable& table) {
  const CellRow* points = nullptr;
  const CellRow* commas = nullptr;
  std::string_view first;
  for (const CellRow& row : table.rows)
    for (const std::string& cell : row.cells) {
      if (cell.find('.') != std::string::npos && number_of(cell)) points = &row;
      if (!has_decimal_comma(cell) || commas != nullptr) continue;
      commas = &row;
      first = cell;
    }
  if (commas == nullptr) return;
  if (table.separator == ',' && may_be_thousands(table))
    refuse_profile(text.path, commas->line,
                   in_quotes(first) +
                       " may have a decimal comma or one behind the thousands; accepted: decimal "
                       "points, or numbers without commas behind the thousands");
  if (points != nullptr)
    refuse_profile(text.path, commas->line,
                   fmt::format("{} has a decimal comma, and line {} a decimal point; accepted: one "
                               "of them in all lines",
                               in_quotes(first), points->line));
  for (CellRow& row : table.rows)
    for (std::string& cell : row.cells)
      if (has_decimal_comma(cell)) cell[cell.find(',')] = '.';
  table.decimal_commas = true;
}

std::string separators_of(const std::vector<CellLine>& lines, CellTable& table) {
  for (const char separator : {';', '\t', ','}) {
    if (!separates(lines, separator)) continue;
    table.separator = separator;
    return std::string(1, separator);
  }
  return std::string(has_words_with_commas(lines) ? " \t;" : kCellSeparators);
}

}  // namespace

std::vector<std::string> split_cells(std::string_view line, char separator) {
  std::vector<std::string> cells;
  for (const std::string_view piece : pieces_of(line, std::string_view(&separator, 1)))
    cells.emplace_back(bare_cell(piece));
  return cells;
}

std::vector<std::string> quoted_words(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string_view piece : pieces_of(line, kCellSeparators))
    if (const std::string_view word = bare_cell(piece); !word.empty()) words.emplace_back(word);
  return words;
}

bool is_missing(std::string_view cell) {
  std::string name = lower_case(cell);
  if (!name.empty() && (name[0] == '+' || name[0] == '-')) name.erase(0, 1);
  if (name.find_first_not_of("*-") == std::string::npos) return true;  // also of nothing
  if (name.starts_with("1.#")) return true;
  constexpr std::array<std::string_view, 9> kNames{"nan", "na",   "n/a",    "null",   "none",
                                                   "bad", "void", "nodata", "no_data"};
  return std::ranges::find(kNames, name) != kNames.end();
}

std::string without_spreadsheet_errors(const std::string& line) {
  constexpr std::array<std::string_view, 12> kErrors{"#N/A",    "#NV",    "#DIV/0!",  "#VALUE!",
                                                     "#WERT!",  "#REF!",  "#NUM!",    "#ZAHL!",
                                                     "#BEZUG!", "#NAME?", "#NOMBRE!", "#VALEUR!"};
  constexpr std::string_view ends = " \t\r,;\"";
  std::string kept = line;
  for (const std::string_view error : kErrors)
    for (std::size_t at = kept.find(error); at != std::string::npos;
         at = kept.find(error, at + 1)) {
      const std::size_t end = at + error.size();
      const bool alone = (at == 0 || ends.find(kept[at - 1]) != std::string_view::npos) &&
                         (end == kept.size() || ends.find(kept[end]) != std::string_view::npos);
      if (alone) kept.replace(at, error.size(), "nan");
    }
  return kept;
}

CellTable split_table(const ProfileText& text, std::vector<CellLine> lines) {
  CellTable table;
  const auto ends_matrix = [](const CellLine& line) {
    return line.text.find_first_not_of("])}; \t") == std::string::npos;
  };
  while (!lines.empty() && ends_matrix(lines.back())) lines.pop_back();
  if (lines.empty()) return table;
  strip_last_separator(lines);
  const std::string separators = separators_of(lines, table);
  for (const CellLine& line : lines) {
    CellRow row{line.number, line.text, {}};
    for (const std::string_view piece : pieces_of(line.text, separators))
      if (const std::string_view cell = bare_cell(piece); table.separator != ' ' || !cell.empty())
        row.cells.emplace_back(cell);
    const bool may_separate = separators == kCellSeparators || separators == ",";
    if (may_separate && line.text.find('"') == std::string::npos)
      if (const std::string_view word = decimal_comma(line.text); !word.empty())
        refuse_profile(text.path, line.number,
                       in_quotes(word) +
                           " has a decimal comma; accepted: decimal points, or semicolons, tabs or "
                           "blanks between the numbers");
    table.rows.push_back(std::move(row));
  }
  join_tabs(table);
  const std::size_t width = usual_width(table.rows);
  for (CellRow& row : table.rows) fit_width(row, width);
  take_out_titles(table, width);
  const std::size_t first = table.rows.front().cells.size();
  for (const CellRow& row : table.rows) {
    if (row.cells.size() == 1 && !number_of(row.cells[0]) && !is_missing(row.cells[0]))
      refuse_profile(text.path, row.line,
                     in_quotes(row.cells[0]) + " is not a number; accepted: y and z");
    if (row.cells.size() < 2)
      refuse_profile(
          text.path, row.line,
          fmt::format("has {} of the 2 numbers of a point; accepted: 2 or more in each line of "
                      "points, or the file without this line, if it was cut off",
                      row.cells.size()));
    if (row.cells.size() != first)
      refuse_profile(
          text.path, row.line,
          fmt::format("has {} numbers, the lines before it have {}", row.cells.size(), first));
  }
  leave_out_empty_columns(table);
  take_decimal_commas(text, table);
  return table;
}

}  // namespace slipfield
