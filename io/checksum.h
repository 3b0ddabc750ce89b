// SPDX-License-Identifier: Apache-2.0
// By which a file that was read can be known again.
#pragma once

#include <filesystem>
#include <string>

namespace slipfield {

// What `cksum FILE` prints (POSIX), with the file's name without folders: checksum, bytes, name.
// "- - name" where the file cannot be read.
std::string cksum_line(const std::filesystem::path& path);

}  // namespace slipfield
