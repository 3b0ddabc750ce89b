// SPDX-License-Identifier: Apache-2.0
// Shared by the readers of results and of sweeps: opens a file and reads its header.
#pragma once

#include <filesystem>
#include <new>
#include <string>
#include <string_view>

#include "io/hdf5/child_reading.h"
#include "io/hdf5/handle.h"
#include "io/hdf5/one_thread.h"
#include "io/result/reader.h"

namespace slipfield {

inline constexpr std::string_view kLifeFileType = "slipfield-life";  // of `slipfield life`

// Runs `read` and converts HDF5 errors to one sentence about the file.
template <typename Read>
auto read_guarded(const std::filesystem::path& path, Read read) {
  const hdf5::OneThread alone;
  try {
    return read();
  } catch (const Hdf5Error& error) {
    throw InputError(path.string() + ": the result file is damaged or incomplete (" + error.what() +
                     ")");
  } catch (const std::bad_alloc&) {
    throw InputError(path.string() + ": the result file is damaged (it claims more values than " +
                     "the memory holds)");
  }
}

// Like read_guarded, but first in a child process (child_reading.h), so that damage cannot end this
// one.
template <typename Read>
auto read_untrusted(const std::filesystem::path& path, Read read) {
  try_in_child(path, [&] { read_guarded(path, read); });
  return read_guarded(path, read);
}

hdf5::Handle open_result(const std::filesystem::path& path);
// The attribute file_type of the root or of a point, read in a child process; empty if it cannot be
// read. Throws UnreadableFile like read_in_child.
std::string file_type_of(const std::filesystem::path& path, int point = 0);
// The same of the root, for deciding whether the file may be replaced: also right if it has just
// changed twice.
std::string certain_file_type_of(const std::filesystem::path& path);
bool is_result_or_sweep(const std::filesystem::path& path);
// Throws InputError unless the group has the file type `wanted` and this schema.
void check_file_type(hid_t root, const std::filesystem::path& path, std::string_view wanted);
// Reads everything except the grid, from results of any kind.
ResultInfo read_result_info(hid_t root, const std::filesystem::path& path);
ResultInfo read_result_info(const std::filesystem::path& path);
// The number of the group /steps/NAME. Throws InputError if the name is not a number.
int step_number(const std::string& name, const std::filesystem::path& path);
// Empty if there is no such attribute.
std::string optional_text(hid_t object, const std::string& name);

}  // namespace slipfield
