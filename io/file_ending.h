// SPDX-License-Identifier: Apache-2.0
// The ending of a file's name, which says what is in it whether letters are small or not.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace slipfield {

// In lower case: ".h5" of OUT.H5, "" where there is none.
inline std::string file_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending;
}

}  // namespace slipfield
