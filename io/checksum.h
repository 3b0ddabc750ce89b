// SPDX-License-Identifier: Apache-2.0
// By which a file that was read can be known again, and one that was damaged.
#pragma once

#include <filesystem>
#include <string>

namespace slipfield {

// What `cksum FILE` prints (POSIX), with the file's name without folders: checksum, bytes, name.
// "- - name" where the file cannot be read.
std::string cksum_line(const std::filesystem::path& path);

// The line that a file ends with which require_checksum() takes, from what comes before it. HDF5
// does not mind what is behind its last byte.
std::string checksum_end(const std::filesystem::path& path);
// Throws InputError where a file does not end with the checksum of what is before that.
void require_checksum(const std::filesystem::path& path);

}  // namespace slipfield
