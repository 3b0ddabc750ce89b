// Reads the case of a command and logs what its reader warns of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/case_reader.h"

namespace slipfield {

// As read_case.
CaseFile load_case(const std::filesystem::path& path, const std::vector<std::string>& overrides);

}  // namespace slipfield
