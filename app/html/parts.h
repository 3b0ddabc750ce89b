// SPDX-License-Identifier: Apache-2.0
// What the reports of results, sweeps and wheels have in common, as HTML.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

inline constexpr std::size_t kMostRowsOfPage = 200;  // of a table on the page

std::string page_number(double value);  // six digits; empty: not a number
std::string page_warning(const std::string& text);
// gnuplot's commands drawn. Throws Error where gnuplot cannot.
std::string page_figure(const std::string& script, std::string_view caption);

std::string page_title(const ResultInfo& info, const std::filesystem::path& path);
std::string outcome_text(const ResultInfo& info);  // "not converged"
// Provenance and the case.
std::string page_origin(const ResultInfo& info, const std::filesystem::path& path);
// Of a file as a whole; those of its steps or points follow.
std::string file_warnings(const ResultInfo& info);

// "max_pressure [N/mm^2]".
std::string total_heading(const std::string& name, Units units);
// The keys of a table, how each row ended, and those of `quantities` of which it has numbers. Rows
// from 41 on are folded away, and those from 201 on left out, which a line says.
std::string rows_section(const SweepTable& table, const std::string& row,
                         const std::vector<std::string>& quantities, Units units);
// Of the first 20 rows that did not converge or touch the grid's edge, and how many more there are.
// known: warnings of the whole file, which are not said again.
std::string row_warnings(const SweepTable& table, const std::string& row,
                         const std::vector<std::string>& known);

// The totals that a table of steps or points shows.
const std::vector<std::string>& shown_totals();

}  // namespace slipfield
