// SPDX-License-Identifier: Apache-2.0
// Reads a command's case and logs the reader's warnings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/case/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

// Like read_case. `point`: one point of a sweep as an ordinary case; 0: the case as it is. `shard`:
// reads only the points of this shard. Throws InputError if the case has no such point or shard.
// log_warnings: false leaves the reader's warnings to the caller.
CaseFile load_case(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                   int point = 0, const Shard& shard = {}, bool log_warnings = true);

}  // namespace slipfield
