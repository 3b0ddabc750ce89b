// SPDX-License-Identifier: Apache-2.0
// Reads the steps of wheels on rails that a ResultWriter has written. Fields of a contact:
// read_result(path, {0, step, {}, contact}).
#pragma once

#include <filesystem>
#include <vector>

#include "io/result/reader.h"
#include "io/result/wheel/table.h"

namespace slipfield {

struct WheelFile {
  ResultInfo info;
  std::vector<WheelRecord> steps;  // at least one; increasing numbers

  // The step of that number; 0: the last. Throws InputError where there is none.
  [[nodiscard]] const WheelRecord& step(int number) const;
  std::filesystem::path path;
};

// Throws InputError as read_result().
WheelFile read_wheel_file(const std::filesystem::path& path);

}  // namespace slipfield
