// SPDX-License-Identifier: Apache-2.0
// Datasets of one dimension that are written and read in pieces: the rows of a long table.
//
// Pieces are chunks of the file; what is never written takes no space and reads as `fill`.
#pragma once

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

// count: rows of the dataset, which can grow; in_chunk: rows of a piece.
struct RowCount {
  std::size_t count = 0;
  std::size_t in_chunk = 1;
};
// Number: double, std::int64_t or std::uint8_t.
template <typename Number>
Handle create_rows(hid_t location, const std::string& name, const RowCount& rows, Number fill);
void extend_rows(const Handle& dataset, std::size_t count);
std::size_t row_count(hid_t location, const std::string& name);  // 0: not a row of values
// Text of any length, which h5py, netCDF and xarray read as text; never written: empty. in_chunk 0:
// in one piece, which does not grow.
Handle create_text_rows(hid_t location, const std::string& name, const RowCount& rows);
// Several numbers in each row, as many as it has; never written: none. in_chunk 0: as of texts.
Handle create_list_rows(hid_t location, const std::string& name, const RowCount& rows);

// Rows from `start` on, from 0.
void write_rows(const Handle& dataset, std::size_t start, std::span<const double> values);
void write_rows(const Handle& dataset, std::size_t start, std::span<const std::int64_t> values);
void write_rows(const Handle& dataset, std::size_t start, std::span<const std::uint8_t> values);
void write_rows(const Handle& dataset, std::size_t start, std::span<const std::string> texts);
void write_rows(const Handle& dataset, std::size_t start,
                std::span<const std::vector<double>> lists);

// Read datasets of one dimension, whichever function wrote them. Throw Hdf5Error if there are fewer
// rows.
template <typename Number>
std::vector<Number> read_rows(hid_t location, const std::string& name, std::size_t start,
                              std::size_t count);
std::vector<std::string> read_text_rows(hid_t location, const std::string& name, std::size_t start,
                                        std::size_t count);
std::vector<std::vector<double>> read_list_rows(hid_t location, const std::string& name,
                                                std::size_t start, std::size_t count);

}  // namespace slipfield::hdf5
