// The formats of heights files, each read in a source file of its own. See heights_reader.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/heights_reader.h"

namespace slipfield {

// "rough.npy: is truncated" as InputError.
[[noreturn]] void refuse_heights(const std::filesystem::path& path, const std::string& problem);
// Refuses "has the shape (3, 4); (5, 4) = (my, mx) is needed".
[[noreturn]] void refuse_shape(const std::filesystem::path& path,
                               const std::vector<std::size_t>& shape,
                               const HeightsRequest& request);

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// `dataset`: full name in the file.
std::vector<double> read_hdf5_heights(const std::filesystem::path& path, const std::string& dataset,
                                      const HeightsRequest& request);
// Versions 1 to 3; little-endian float32, float64 and integers of 8 to 64 bits; C or Fortran order.
std::vector<double> read_npy_heights(const std::filesystem::path& path,
                                     const HeightsRequest& request);
// my lines of mx numbers, separated by blanks or by commas; # starts a comment.
std::vector<double> read_text_heights(const std::filesystem::path& path,
                                      const HeightsRequest& request);

}  // namespace slipfield
