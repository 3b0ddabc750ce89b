// SPDX-License-Identifier: Apache-2.0
// Reads untrusted files in a child process, which may crash, hang or exhaust its memory.
//
// libhdf5 trusts what a file says about itself, so that a damaged one may end the process with a
// signal. Every result is therefore read in a child first. If that succeeds, this process makes the
// same calls on the same bytes from the memory that the child began with, and they succeed again.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "solver/error.h"

namespace slipfield {

// Thrown for a file on which the reading process crashed or hung; reading it again would do the
// same.
class UnreadableFile : public InputError {
 public:
  using InputError::InputError;
};

// Limit of processor time for reading a file of this size [s]: many times what is needed.
int most_seconds_to_read(std::uintmax_t bytes);

// After this time a reading process is ended, even if it only sleeps.
std::chrono::milliseconds longest_wait_to_read(std::uintmax_t bytes);

// Runs `read` in a child process and returns its text. Threads of this program wait with HDF5 until
// the child has ended (OneThread), those of other libraries do not. wait: the longest time, by
// default that for the file's size. Rethrows the child's InputError or Error; throws UnreadableFile
// if it crashes or exceeds its processor time, InputError if it exceeds its memory, Error if it
// does not end in time.
std::string read_in_child(const std::filesystem::path& path,
                          const std::function<std::string()>& read,
                          std::optional<std::chrono::milliseconds> wait = {});

// The same, but only checks that it succeeds.
void try_in_child(const std::filesystem::path& path, const std::function<void()>& read);

}  // namespace slipfield
