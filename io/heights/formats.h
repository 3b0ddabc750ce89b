// SPDX-License-Identifier: Apache-2.0
// The formats of heights files, each with its own source file. See io/heights/reader.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/heights/reader.h"

namespace slipfield {

// "rough.npy: is truncated" as InputError.
[[noreturn]] void refuse_heights(const std::filesystem::path& path, const std::string& problem);
// The end of a refusal of measured heights; empty for other tables.
std::string_view surface_hint(const HeightsRequest& request);
// Refuses a shape other than the requested one:
// "has the shape (3, 4); the grid needs (my, mx) = (5, 4)".
void check_shape(const std::filesystem::path& path, const std::vector<std::size_t>& shape,
                 const HeightsRequest& request);

// The order in which a line of text names the columns of a list, if it does: column i of the values
// is column order[i] of the file.
using ColumnOrder = std::vector<std::size_t>;

// What lines above or among the numbers of a text file say about them. Refuses a unit of length
// other than the case's, and names that leave the order of the columns open.
class TextHeader {
 public:
  TextHeader(const std::filesystem::path& path, const HeightsRequest& request)
      : path_(path), request_(request) {}
  // The text of a comment without its #; `above` the numbers it may name the columns.
  void take_comment(std::string_view line, std::size_t number, bool above);
  // Returns whether the line names columns: none of its words is a number.
  bool take_names(std::string_view line, std::size_t number);
  [[nodiscard]] const ColumnOrder& order() const { return order_; }  // empty: as they are

 private:
  void require_unit(std::string_view unit, std::size_t number) const;
  [[noreturn]] void refuse_names(std::string_view line, std::size_t number) const;

  const std::filesystem::path& path_;
  const HeightsRequest& request_;
  ColumnOrder order_;
  bool named_ = false;  // by a line outside comments
};

// The length of a named unit in metres; nothing for unknown names.
std::optional<double> metres_of(std::string_view unit);

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// `dataset`: full name in the file.
Heights read_hdf5_heights(const std::filesystem::path& path, const std::string& dataset,
                          const HeightsRequest& request);
// Versions 1 to 3; little-endian float32, float64 and integers of 8 to 64 bits; C or Fortran order.
Heights read_npy_heights(const std::filesystem::path& path, const HeightsRequest& request);
// Rows of numbers separated by blanks, commas or semicolons, with decimal points, or decimal commas
// if commas do not separate (io/decimal_comma.h); # at the start of a word starts a comment.
Heights read_text_heights(const std::filesystem::path& path, const HeightsRequest& request);

}  // namespace slipfield
