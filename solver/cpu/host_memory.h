// SPDX-License-Identifier: Apache-2.0
// Memory that the operating system still gives to this process, and pages of zeros.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace slipfield {

// The least of what the machine has available, what the process's control groups (a container, a
// batch job) leave it, and what its limit of address space does. The greatest number where nothing
// is known.
std::size_t available_host_bytes();

// Memory that control groups of versions 1 and 2 leave. groups: the text of /proc/self/cgroup,
// root: the folder where they are mounted.
std::size_t available_in_groups(std::string_view groups, const std::filesystem::path& root);

// Zeros straight from the operating system, in large pages as far as they go; there is memory for
// them once they are written to. free_pages() gets the same number. Throws std::bad_alloc.
void* zero_pages(std::size_t bytes);
void free_pages(void* pages, std::size_t bytes);
// Bytes of them that are not freed yet, in this process.
std::size_t zero_pages_in_use();

}  // namespace slipfield
