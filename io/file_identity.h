// SPDX-License-Identifier: Apache-2.0
// Whether a file is the one that was looked at before, and unchanged.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace slipfield {

// The kernel gives a file a new time of change with whatever is done to its bytes or its name.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  off_t bytes = 0;
  std::int64_t changed_s = 0;  // since 1970
  std::int64_t changed_ns = 0;
  bool operator==(const FileIdentity&) const = default;

  // It was last changed some seconds ago. A change in the same tick of the clock as the last one
  // leaves no trace, so that a file that is being written may look the same and be another.
  [[nodiscard]] bool is_settled() const;
};

// Nothing where there is no such file.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

}  // namespace slipfield
