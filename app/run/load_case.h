// SPDX-License-Identifier: Apache-2.0
// Reads the case of a command and logs what its reader warns of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/case/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

// As read_case. `point`: of a sweep, as an ordinary case; 0: the case as it is. `shard`: of a
// sweep, whose points alone are read. Throws InputError where the case has no such point or shard.
CaseFile load_case(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                   int point = 0, const Shard& shard = {});

}  // namespace slipfield
