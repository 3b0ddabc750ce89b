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
