// Reads the case of a command and logs what its reader warns of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/case/reader.h"

namespace slipfield {

// As read_case. `point`: of a sweep, as an ordinary case; 0: the case as it is. Throws InputError
// where the case has no such point.
CaseFile load_case(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                   int point = 0);

}  // namespace slipfield
