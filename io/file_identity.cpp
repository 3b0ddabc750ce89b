// SPDX-License-Identifier: Apache-2.0
#include "io/file_identity.h"

#include <sys/stat.h>

#include <ctime>
#include <string>

#include "solver/error.h"

namespace slipfield {

bool FileIdentity::is_settled() const {
  constexpr std::int64_t kSettled = 3;  // seconds; coarser than the clocks of file systems
  return std::time(nullptr) - changed_s > kSettled;
}

std::optional<FileIdentity> identity_of(const std::filesystem::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, status.st_size, status.st_ctim.tv_sec,
                      status.st_ctim.tv_nsec};
}

void require_unchanged(const std::filesystem::path& path, const std::optional<FileIdentity>& opened,
                       std::string_view what) {
  if (identity_of(path) != opened)
    throw InputError(path.string() + ": has changed since it was opened, and " + std::string(what) +
                     " when it is first asked for; accepted: open() again");
}

}  // namespace slipfield
