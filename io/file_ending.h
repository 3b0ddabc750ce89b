// SPDX-License-Identifier: Apache-2.0
// The ending of a file's name, which determines its format regardless of case.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace slipfield {

// In lower case: ".h5" for OUT.H5, "" if there is none.
inline std::string file_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending;
}

}  // namespace slipfield
