// SPDX-License-Identifier: Apache-2.0
// A file that all ranks of a run have open, so that each writes its rows of the datasets.
//
// One rank alone makes the groups, attributes and datasets, exactly like a single process, and
// closes the file before. All ranks make every call together (solver/ranks/ranks.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "io/hdf5/handle.h"
#include "solver/grid.h"

namespace slipfield::hdf5 {

Handle open_shared(const std::filesystem::path& path);

// Writes this rank's rows of a dataset of two dimensions; `values` has exactly these rows. A
// failure on one rank throws on all.
void write_shared_rows(hid_t location, const std::string& name, const RowRange& rows,
                       std::span<const double> values);
void write_shared_rows(hid_t location, const std::string& name, const RowRange& rows,
                       std::span<const std::uint8_t> values);

}  // namespace slipfield::hdf5
