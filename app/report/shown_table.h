// SPDX-License-Identifier: Apache-2.0
// Tables for people: columns that fit the terminal, and 0 in place of rounding noise.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/problem.h"

namespace slipfield {

struct TableColumn {
  std::string head;
  std::string unit;
  std::size_t width = 0;  // of the column, including the blanks before it
  int rank = 0;           // the column with the greatest rank is dropped first; 0: never
};

inline constexpr std::size_t kOutcomeWidth = 11;  // of the last column

// Selects the columns that fit into `width` characters; all if it is 0. `tail`: the width of what
// follows them.
std::vector<std::size_t> columns_that_fit(const std::vector<TableColumn>& columns, std::size_t tail,
                                          int width);

// Two lines: the names and the units of the columns shown.
std::array<std::string, 2> names_and_units(const std::vector<TableColumn>& columns,
                                           const std::vector<std::size_t>& shown);

// The head: names and units; before them the columns left out, if any, and how to see them.
std::vector<std::string> table_head(const std::vector<TableColumn>& columns,
                                    const std::vector<std::size_t>& shown);

// Appends `text` to `start` and breaks it at blanks into lines of at most `columns` characters,
// each with a newline; lines after the first begin with `indent` blanks.
std::string wrapped(const std::string& start, const std::string& text, std::size_t indent,
                    std::size_t columns);

// "  force_x   -27.80 N   what it is", in lines of at most `columns` characters.
std::string number_line(std::string_view name, double value, std::string_view unit,
                        const std::string& meaning, std::size_t columns);

// Returns the value, or 0 if it is below 1e-9 of the quantities whose small difference it is, such
// as the normal force for a tangential one.
double without_noise(std::string_view quantity, double value,
                     const std::function<double(std::string_view)>& value_of);

// The motions that prescribed forces leave unknown, such as "shift_x" or "creepage_y", over all
// steps.
std::vector<std::string> found_motions(const std::vector<StepInput>& steps);

}  // namespace slipfield
