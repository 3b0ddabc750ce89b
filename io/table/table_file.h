// SPDX-License-Identifier: Apache-2.0
// Creep-force tables as files (io/RESULT.md): HDF5 with all that reproduces them, the bytes that
// solver/table/slipfield_table.h evaluates, and the text of USETAB.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output_rule.h"
#include "solver/table/creep_table.h"
#include "solver/table/usetab.h"

namespace slipfield {

struct TableOrigin {
  std::string command;  // as typed
  std::string backend;  // "cpu" | "cuda"
  std::string device;
  double seconds = 0.0;
};

// Written under a temporary name and moved into place. Throws InputError where the rule forbids it,
// Hdf5Error or Error where writing fails.
void write_table(const std::filesystem::path& path, const CreepTable& table,
                 const TableOrigin& origin, const OutputRule& rule);

// What a file says of itself, and its bytes for an evaluation.
struct TableFile {
  CreepTableRequest request;
  TableError error;
  TableOrigin origin;
  std::string slipfield_version;
  std::vector<double> ratios;
  std::vector<double> image;  // the bytes of CreepTable::image, aligned for doubles
  std::size_t image_bytes = 0;
};

// Throws InputError with one sentence where the file is no such table, is cut off or damaged.
TableFile read_table(const std::filesystem::path& path);

void write_table_image(const std::filesystem::path& path, const TableFile& table,
                       const OutputRule& rule);

void write_usetab(const std::filesystem::path& path, const UsetabTable& table,
                  const OutputRule& rule);

// Any of the three, for output_rule.cpp.
bool is_creep_table(const std::filesystem::path& path);

}  // namespace slipfield
