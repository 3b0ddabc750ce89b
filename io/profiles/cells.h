// SPDX-License-Identifier: Apache-2.0
// The cells of a table in text, as spreadsheets, instruments and programs write it: between
// semicolons, tabs, commas or blanks, in quotes or not, with decimal points or commas, and empty
// where a number is missing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/profiles/formats.h"

namespace slipfield {

struct CellLine {
  std::size_t number = 0;  // in the file, from 1
  std::string text;        // without comments
};

struct CellRow {
  std::size_t line = 0;
  std::string text;
  std::vector<std::string> cells;  // without blanks and quotes, a decimal comma as a point
};

struct CellTable {
  std::vector<CellRow> rows;        // of equally many cells
  std::vector<CellRow> titles;      // above them, of another number of cells
  std::vector<std::size_t> no_use;  // columns that are empty in all lines, left out
  char separator = ' ';             // or ; \t ,
  bool decimal_commas = false;
};

// InputError with the line where lines differ in their numbers of cells, or a comma may separate
// numbers or digits.
CellTable split_table(const ProfileText& text, std::vector<CellLine> lines);

// The cells between separators outside of quotes, without blanks and quotes around them.
std::vector<std::string> split_cells(std::string_view line, char separator);
// The words between any of blanks, tabs, commas and semicolons outside of quotes.
std::vector<std::string> quoted_words(std::string_view line);

// An empty cell, nan, or another word that programs write in place of a number.
bool is_missing(std::string_view cell);
// Replaces what spreadsheets write for errors, such as #N/A and #DIV/0! in several languages, by
// nan, because # begins a comment elsewhere.
std::string without_spreadsheet_errors(const std::string& line);

}  // namespace slipfield
