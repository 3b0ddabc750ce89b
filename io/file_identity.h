// SPDX-License-Identifier: Apache-2.0
// Recognises a file that was read before and has not changed since.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace slipfield {

// The kernel updates the time of change with every change of a file's bytes or name.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;
  std::int64_t changed_s = 0;  // since 1970
  std::int64_t changed_ns = 0;
  bool operator==(const FileIdentity&) const = default;

  // Returns whether the last change is at least some seconds old. A second change in the same clock
  // tick leaves no trace, so that a file being written may look unchanged.
  [[nodiscard]] bool is_settled() const;
};

// Nothing if there is no such file.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

void require_unchanged(const std::filesystem::path& path, const std::optional<FileIdentity>& opened,
                       std::string_view what);

// Reads more of a file that was opened when it had this identity. Throws InputError if it has
// changed since, also while it was read. what: "the interior is read".
template <class Read>
auto read_unchanged(const std::filesystem::path& path, const std::optional<FileIdentity>& opened,
                    std::string_view what, const Read& read) {
  require_unchanged(path, opened, what);
  auto found = read();
  require_unchanged(path, opened, what);
  return found;
}

}  // namespace slipfield
