// SPDX-License-Identifier: Apache-2.0
// Reads the table of a sweep file. Refuses what is not such a file, or damaged, with an InputError
// of one sentence that names it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/result/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

struct SweepFile {
  ResultInfo info;  // without a grid, which may differ from point to point
  SweepTable table;
  std::vector<int> with_fields;  // points: ResultFile(path, point)
};

// The same without its rows.
struct SweepOutline {
  ResultInfo info;
  SweepLayout layout;
  std::vector<int> with_fields;
};

SweepFile read_sweep_file(const std::filesystem::path& path);
SweepOutline read_sweep_outline(const std::filesystem::path& path);
// Rows of those points that the file has, which may be none.
SweepTable read_sweep_rows(const std::filesystem::path& path, const PointRange& points);

}  // namespace slipfield
