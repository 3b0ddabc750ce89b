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

bool is_sweep(const std::filesystem::path& path);
SweepFile read_sweep_file(const std::filesystem::path& path);

}  // namespace slipfield
