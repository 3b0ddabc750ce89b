// Files of heights or coefficients that a case names, each read once as long as it is kept: steps
// and points of a sweep that name the same file share its values.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>

#include "io/heights/reader.h"

namespace slipfield {

// Keeps the files used last, so that a sweep over many files does not fill the memory.
class HeightsFiles {
 public:
  // As read_heights.
  std::shared_ptr<const Heights> read(const std::filesystem::path& path,
                                      const HeightsRequest& request);

 private:
  static constexpr std::size_t kKept = 4;
  struct Entry {
    std::string key;  // the file and what was asked of it
    std::shared_ptr<const Heights> heights;
  };
  std::deque<Entry> entries_;  // the one used last is first
};

}  // namespace slipfield
