// SPDX-License-Identifier: Apache-2.0
// Files of creep-force tables (io/RESULT.md): HDF5 with everything needed to reproduce them, the
// bytes that solver/table/slipfield_table.h evaluates, and USETAB's text.
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

// Writes under a temporary name and moves the file into place. Throws InputError if the rule
// forbids it, Hdf5Error or Error if writing fails.
void write_table(const std::filesystem::path& path, const CreepTable& table,
                 const TableOrigin& origin, const OutputRule& rule);

// The description in a file, and its bytes for an evaluation.
struct TableFile {
  CreepTableRequest request;
  TableError error;
  TableOrigin origin;
  std::string slipfield_version;
  std::vector<double> ratios;
  std::vector<double> image;  // the bytes of CreepTable::image, aligned for doubles
  std::size_t image_bytes = 0;
};

// Throws InputError if the file is not such a table, or is truncated or damaged.
TableFile read_table(const std::filesystem::path& path);

void write_table_image(const std::filesystem::path& path, const TableFile& table,
                       const OutputRule& rule);

void write_usetab(const std::filesystem::path& path, const UsetabTable& table,
                  const OutputRule& rule);

// Any of the three forms, for output_rule.cpp.
bool is_creep_table(const std::filesystem::path& path);

}  // namespace slipfield
