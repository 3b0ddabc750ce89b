// SPDX-License-Identifier: Apache-2.0
// Datasets of one dimension that are written and read piece by piece: the rows of a long table.
//
// Pieces are chunks of the file; unwritten ones take no space and read as `fill`.
#pragma once

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

// count: rows of the dataset, which can grow; in_chunk: rows per piece.
struct RowCount {
  std::size_t count = 0;
  std::size_t in_chunk = 1;
};
// Number: double, std::int64_t or std::uint8_t.
template <typename Number>
Handle create_rows(hid_t location, const std::string& name, const RowCount& rows, Number fill);
void extend_rows(const Handle& dataset, std::size_t count);
std::size_t row_count(hid_t location, const std::string& name);  // 0: not a dataset of rows
// Text of any length, which h5py, netCDF and xarray read as text; unwritten rows are empty.
// in_chunk 0: one piece that does not grow.
Handle create_text_rows(hid_t location, const std::string& name, const RowCount& rows);
// Any number of numbers in each row; unwritten rows have none. in_chunk 0: as for texts.
Handle create_list_rows(hid_t location, const std::string& name, const RowCount& rows);

// Writes rows from `start`, counted from 0.
void write_rows(const Handle& dataset, std::size_t start, std::span<const double> values);
void write_rows(const Handle& dataset, std::size_t start, std::span<const std::int64_t> values);
void write_rows(const Handle& dataset, std::size_t start, std::span<const std::uint8_t> values);
void write_rows(const Handle& dataset, std::size_t start, std::span<const std::string> texts);
void write_rows(const Handle& dataset, std::size_t start,
                std::span<const std::vector<double>> lists);

// Read datasets of one dimension, however they were written. Throw Hdf5Error if there are too few
// rows.
template <typename Number>
std::vector<Number> read_rows(hid_t location, const std::string& name, std::size_t start,
                              std::size_t count);
std::vector<std::string> read_text_rows(hid_t location, const std::string& name, std::size_t start,
                                        std::size_t count);
std::vector<std::vector<double>> read_list_rows(hid_t location, const std::string& name,
                                                std::size_t start, std::size_t count);

}  // namespace slipfield::hdf5
