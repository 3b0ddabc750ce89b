// SPDX-License-Identifier: Apache-2.0
// Recognises a file that was read before and has not changed since.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>

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

}  // namespace slipfield
