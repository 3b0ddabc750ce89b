// SPDX-License-Identifier: Apache-2.0
// Reads a file of heights, a table of numbers: HDF5, NumPy's .npy, or text.
//
// The format is recognised by the file's first bytes, never by its name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/problem.h"

namespace slipfield {

enum class Infinity { allowed, refused };

// The most rows or columns if any number is accepted.
inline constexpr int kMostSamples = 65536;

// The kind of a table's numbers: `units` of an HDF5 file apply to lengths or coefficients, which
// are never as large as a fill value.
enum class TableOf { numbers, lengths, coefficients };
// A map has a value at each place of a grid; a list has a row of numbers for each point.
enum class TableForm { list, map };

// The names that a first line of text may give to a column of a list; a refusal prints the first.
using ColumnNames = std::vector<std::string_view>;
std::vector<ColumnNames> columns_of_profile();  // y, z

// The unit of length of a case.
inline double metres_of(Units units) { return units == Units::si ? 1.0 : 1.0e-3; }

struct HeightsRequest {
  std::optional<std::string> dataset;  // of an HDF5 file; nothing: the default one
  std::string default_dataset = "/heights";
  int mx = 0;                             // columns; 0: any number
  int my = 0;                             // rows; 0: any number
  Infinity infinity = Infinity::refused;  // +infinity: no contact possible
  TableOf of = TableOf::numbers;
  TableForm form = TableForm::list;
  double metres = 1.0e-3;                 // of the case's unit of length
  std::vector<ColumnNames> columns = {};  // of a list, in the order of its values
};

struct Heights {
  std::vector<double> values;  // my rows of mx, x fastest
  int mx = 0;
  int my = 0;
  std::string dataset;  // read from an HDF5 file; empty for the other formats
  // Distance of the columns and rows by the file's coordinates, 0 if it has none; in the case's
  // unit of length if the coordinates have units.
  double dx = 0.0;
  double dy = 0.0;
};

// Throws InputError that names the file and the fault: missing or unreadable, another shape than
// requested, a value that is not finite or a fill value (with its row and column), or a list of
// points x, y, z instead of a map.
Heights read_heights(const std::filesystem::path& path, const HeightsRequest& request);

// Applies the same checks to values in memory; `path` stands for them in the message.
void check_heights(const std::filesystem::path& path, const HeightsRequest& request,
                   const Heights& heights);

// Returns a sentence if single values are so far from all others, and such round numbers, that they
// may mark places without a measurement.
std::optional<std::string> fill_value_warning(const Heights& heights);

}  // namespace slipfield
