// SPDX-License-Identifier: Apache-2.0
// Reads a file of heights, a table of numbers: HDF5, NumPy's .npy, or text.
//
// The format is recognised by the file's first bytes, never by its name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipfield {

enum class Infinity { allowed, refused };

// Rows or columns of a file that may have any number of them.
inline constexpr int kMostSamples = 65536;

struct HeightsRequest {
  std::optional<std::string> dataset;  // of an HDF5 file; without it the default
  std::string default_dataset = "/heights";
  int mx = 0;                             // columns; 0: any number
  int my = 0;                             // rows; 0: any number
  Infinity infinity = Infinity::refused;  // +infinity: no contact possible
};

struct Heights {
  std::vector<double> values;  // my rows of mx, x fastest
  int mx = 0;
  int my = 0;
  std::string dataset;  // read from an HDF5 file; empty for the other formats
};

// Throws InputError with a sentence that names the file and what is wrong with it: missing or
// unreadable, another shape than the one requested, a value that is not finite with its row and
// column.
Heights read_heights(const std::filesystem::path& path, const HeightsRequest& request);

// The same checks of values that are in memory already; `path` stands for them in the sentence.
void check_heights(const std::filesystem::path& path, const HeightsRequest& request,
                   const Heights& heights);

}  // namespace slipfield
