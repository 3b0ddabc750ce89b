// SPDX-License-Identifier: Apache-2.0
// A file that all ranks of a run have open at once, to write their rows of its datasets.
//
// Its groups, attributes and datasets were made by one rank alone, with the file closed since: they
// are those that a single process makes. Every call is made together (solver/ranks/ranks.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "io/hdf5/handle.h"
#include "solver/grid.h"

namespace slipfield::hdf5 {

Handle open_shared(const std::filesystem::path& path);

// This rank's rows of a dataset of two dimensions; as many values as they have. A failure on one
// rank is one on all.
void write_shared_rows(hid_t location, const std::string& name, const RowRange& rows,
                       std::span<const double> values);
void write_shared_rows(hid_t location, const std::string& name, const RowRange& rows,
                       std::span<const std::uint8_t> values);

}  // namespace slipfield::hdf5
