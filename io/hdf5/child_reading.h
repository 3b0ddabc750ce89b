// SPDX-License-Identifier: Apache-2.0
// Reading untrusted files in a child process, which may crash, hang or ask for any memory.
//
// libhdf5 trusts much of what a file says of itself: a damaged one may end it with a signal, or
// never. So every result is read in a child first. Where that ends well this process makes the
// same calls on the same bytes, from the memory that the child began with, and they end well again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "solver/error.h"

namespace slipfield {

// A file on which the process that read it crashed or did not end, as every later one would.
class UnreadableFile : public InputError {
 public:
  using InputError::InputError;
};

// Processor time that reading a file of that size may take [s]: many times what it takes.
int most_seconds_to_read(std::uintmax_t bytes);

// Runs `read` in a child process and gives back the text that it returns. What it throws is thrown
// here: InputError, or Error. UnreadableFile where it crashes or exceeds its time, InputError where
// it exceeds its memory.
std::string read_in_child(const std::filesystem::path& path,
                          const std::function<std::string()>& read);

// The same, only to see whether it ends well.
void try_in_child(const std::filesystem::path& path, const std::function<void()>& read);

}  // namespace slipfield
