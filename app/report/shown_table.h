// SPDX-License-Identifier: Apache-2.0
// Tables for people: columns that fit the terminal, and no noise where a number means zero.
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
  std::size_t width = 0;  // of the column, blanks before it included
  int rank = 0;           // the greatest is left out first; 0: never
};

inline constexpr std::size_t kOutcomeWidth = 11;  // of the last column

// Which of the columns fit into `width` characters; all where it is 0. `tail`: what comes after
// them.
std::vector<std::size_t> columns_that_fit(const std::vector<TableColumn>& columns, std::size_t tail,
                                          int width);

// Names and units of those shown, a line each.
std::array<std::string, 2> names_and_units(const std::vector<TableColumn>& columns,
                                           const std::vector<std::size_t>& shown);

// The head: names, units, and before them what is left out, if anything, and how to see it.
std::vector<std::string> table_head(const std::vector<TableColumn>& columns,
                                    const std::vector<std::size_t>& shown);

// `text` after `start`, broken at blanks into lines of `columns` characters, each with its end; the
// lines after the first begin with `indent` blanks.
std::string wrapped(const std::string& start, const std::string& text, std::size_t indent,
                    std::size_t columns);

// "  force_x   -27.80 N   what it is", in lines of at most `columns` characters.
std::string number_line(std::string_view name, double value, std::string_view unit,
                        const std::string& meaning, std::size_t columns);

// The value, or 0 where it is below 1e-9 of what it is the small difference of: of the quantities
// of its kind, such as the normal force for a tangential one.
double without_noise(std::string_view quantity, double value,
                     const std::function<double(std::string_view)>& value_of);

// The quantities that a prescribed force leaves to be found, "shift_x" or "creepage_y", of all
// steps.
std::vector<std::string> found_motions(const std::vector<StepInput>& steps);

}  // namespace slipfield
