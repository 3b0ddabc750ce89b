// SPDX-License-Identifier: Apache-2.0
// Functions that the readers of results and of sweeps share: opening a file, and reading its
// header.
#pragma once

#include <filesystem>
#include <new>
#include <string>
#include <string_view>

#include "io/hdf5/child_reading.h"
#include "io/hdf5/handle.h"
#include "io/result/reader.h"

namespace slipfield {

inline constexpr std::string_view kLifeFileType = "slipfield-life";  // of `slipfield life`

// Runs `read`; whatever HDF5 says against it becomes one sentence about the file.
template <typename Read>
auto read_guarded(const std::filesystem::path& path, Read read) {
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

// As read_guarded, in a child process first (child_reading.h): no damage ends this one.
template <typename Read>
auto read_untrusted(const std::filesystem::path& path, Read read) {
  try_in_child(path, [&] { read_guarded(path, read); });
  return read_guarded(path, read);
}

hdf5::Handle open_result(const std::filesystem::path& path);
// The attribute file_type of the root, or of a point, read in a child process; empty where it
// cannot be read. Throws UnreadableFile as read_in_child does.
std::string file_type_of(const std::filesystem::path& path, int point = 0);
bool is_result_or_sweep(const std::filesystem::path& path);
// Throws InputError unless the group is of the file type `wanted` and of this schema.
void check_file_type(hid_t root, const std::filesystem::path& path, std::string_view wanted);
// All but the grid; of a file with results of any kind.
ResultInfo read_result_info(hid_t root, const std::filesystem::path& path);
ResultInfo read_result_info(const std::filesystem::path& path);
// Number of the group /steps/NAME. Throws InputError where the name is not a number.
int step_number(const std::string& name, const std::filesystem::path& path);
// Empty where there is no such attribute.
std::string optional_text(hid_t object, const std::string& name);

}  // namespace slipfield
