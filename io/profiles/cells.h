// SPDX-License-Identifier: Apache-2.0
// Splits a text table from spreadsheets, instruments and programs into cells: separated by
// semicolons, tabs, commas or blanks, with or without quotes, with decimal points or commas, empty
// if a number is missing.
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
  std::vector<CellRow> titles;      // above them, with another number of cells
  std::vector<std::size_t> no_use;  // columns empty in all lines, left out
  char separator = ' ';             // or ; \t ,
  bool decimal_commas = false;
};

// Throws InputError with the line if lines have different numbers of cells, or if a comma may
// separate numbers as well as digits.
CellTable split_table(const ProfileText& text, std::vector<CellLine> lines);

// Cells between separators outside quotes, without surrounding blanks and quotes.
std::vector<std::string> split_cells(std::string_view line, char separator);
// Words separated by blanks, tabs, commas or semicolons outside quotes.
std::vector<std::string> quoted_words(std::string_view line);

// True for an empty cell, nan, and other words that programs write for a missing number.
bool is_missing(std::string_view cell);
// Replaces error values of spreadsheets, such as #N/A and #DIV/0! in several languages, by nan,
// because # starts a comment elsewhere.
std::string without_spreadsheet_errors(const std::string& line);

}  // namespace slipfield
