// SPDX-License-Identifier: Apache-2.0
// A folder of its own under the temporary folder, removed at the end.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

namespace slipfield::test {

// TMPDIR, or where it names no folder that may be written to (it is another user's after `su`),
// /tmp.
inline std::filesystem::path temporary_place() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  return error || ::access(place.c_str(), W_OK | X_OK) != 0 ? std::filesystem::path("/tmp") : place;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    // A name made of the process's number may be a leftover's: containers count from 1 each time.
    std::string name = (temporary_place() / "slipfield-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

  // Writes a file and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file << content;
    if (!file.flush()) throw std::runtime_error("cannot write " + name);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace slipfield::test
