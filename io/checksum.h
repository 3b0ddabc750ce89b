// SPDX-License-Identifier: Apache-2.0
// Checksums that identify input files and detect damaged results.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace slipfield {

// The output of `cksum FILE` (POSIX): checksum, bytes, name as given. "- - name" if the file cannot
// be read.
std::string cksum_line(const std::filesystem::path& path);
// The name in such a line.
std::string_view name_in_cksum_line(std::string_view line);
// The first name that both lists of such lines have with other checksums; empty: none.
std::string changed_between(std::span<const std::string> before, std::span<const std::string> now);

// The line to append to a file so that require_checksum() accepts it. HDF5 ignores bytes after its
// own end.
std::string checksum_end(const std::filesystem::path& path);
// Throws InputError if the file does not end with the checksum of all bytes before it.
void require_checksum(const std::filesystem::path& path);

}  // namespace slipfield
