// SPDX-License-Identifier: Apache-2.0
// Converts input files of CONTACT's wheel-rail module to case files. See
// io/contact/contact_input.h.
#pragma once

#include <filesystem>
#include <optional>

#include "io/contact/contact_input.h"
#include "io/yaml/source.h"

namespace slipfield {

// Returns whether the file's first case belongs to that module.
bool is_wheel_rail_input(const SourceText& source);

// Like convert_contact_input(); a case of another module ends the reading.
ConvertedInput convert_wheel_rail_input(const SourceText& source, const std::string& name,
                                        const std::filesystem::path& folder,
                                        const std::optional<CaseRange>& range,
                                        Unsupported unsupported);

}  // namespace slipfield
