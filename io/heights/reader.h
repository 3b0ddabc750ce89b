// SPDX-License-Identifier: Apache-2.0
// Reads a file of heights, a table of numbers: HDF5, NumPy's .npy, or text.
//
// The format is recognised by the file's first bytes, never by its name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipfield {

enum class Infinity { allowed, refused };

// The most rows or columns of a file that may have any number.
inline constexpr int kMostSamples = 65536;

// The kind of a table's numbers: `units` of an HDF5 file apply to lengths or coefficients, and
// no length or coefficient is as large as a fill value.
enum class TableOf { numbers, lengths, coefficients };
// A map has a value at each place of a grid, a list a row of numbers for each point.
enum class TableForm { list, map };

struct HeightsRequest {
  std::optional<std::string> dataset;  // of an HDF5 file; without it the default
  std::string default_dataset = "/heights";
  int mx = 0;                             // columns; 0: any number
  int my = 0;                             // rows; 0: any number
  Infinity infinity = Infinity::refused;  // +infinity: no contact possible
  TableOf of = TableOf::numbers;
  TableForm form = TableForm::list;
  double metres = 1.0e-3;  // of lengths: the case's unit
};

struct Heights {
  std::vector<double> values;  // my rows of mx, x fastest
  int mx = 0;
  int my = 0;
  std::string dataset;  // read from an HDF5 file; empty for the other formats
  // Distance of the columns and rows as the file's coordinates have it, 0 where it has none; in the
  // case's units of length where the coordinates say theirs.
  double dx = 0.0;
  double dy = 0.0;
};

// Throws InputError with a sentence that names the file and what is wrong with it: missing or
// unreadable, another shape than the one requested, a value that is not finite or a fill value with
// its row and column, a list of points x, y, z where a map is needed.
Heights read_heights(const std::filesystem::path& path, const HeightsRequest& request);

// The same checks of values that are in memory already; `path` stands for them in the sentence.
void check_heights(const std::filesystem::path& path, const HeightsRequest& request,
                   const Heights& heights);

// One sentence where single values lie so far from all others, and are such round numbers, that
// they may stand for places that were not measured.
std::optional<std::string> fill_value_warning(const Heights& heights);

}  // namespace slipfield
