// SPDX-License-Identifier: Apache-2.0
// Datasets of one dimension that are written and read in pieces: the rows of a long table.
//
// Pieces are chunks of the file; one that is never written takes no space and reads as `fill`.
#pragma once

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

// count: rows of the dataset; in_chunk: rows of a piece.
struct RowCount {
  std::size_t count = 0;
  std::size_t in_chunk = 1;
};
Handle create_rows(hid_t location, const std::string& name, const RowCount& rows, double fill);
Handle create_rows(hid_t location, const std::string& name, const RowCount& rows,
                   std::uint8_t fill);
// Text of at most `width` bytes; never written: empty.
Handle create_text_rows(hid_t location, const std::string& name, const RowCount& rows,
                        std::size_t width);
std::size_t text_width(const Handle& dataset);

// Rows from `start` on, from 0.
void write_rows(const Handle& dataset, std::size_t start, std::span<const double> values);
void write_rows(const Handle& dataset, std::size_t start, std::span<const std::uint8_t> values);
// Throws Hdf5Error where a text is longer than text_width().
void write_rows(const Handle& dataset, std::size_t start, std::span<const std::string> texts);

// Of datasets of one dimension, however they were written. Throws Hdf5Error where there are fewer.
std::vector<double> read_double_rows(hid_t location, const std::string& name, std::size_t start,
                                     std::size_t count);
std::vector<std::uint8_t> read_byte_rows(hid_t location, const std::string& name, std::size_t start,
                                         std::size_t count);
std::vector<std::string> read_text_rows(hid_t location, const std::string& name, std::size_t start,
                                        std::size_t count);

void rename_link(hid_t location, const std::string& name, const std::string& new_name);

}  // namespace slipfield::hdf5
