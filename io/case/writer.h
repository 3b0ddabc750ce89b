// SPDX-License-Identifier: Apache-2.0
// Writes a case with nothing left to defaults.
#pragma once

#include <string>
#include <string_view>

#include "io/case/reader.h"

namespace slipfield {

// Which keys are left out where they have their default: newer ones, so that what was written
// before them is the same text; or none, for whoever asks for a key.
enum class Defaults { of_older_keys, all };

// YAML, schema 1, without reading `resolved_yaml`. read_case() of the text gives the same problem,
// output settings and expectations, number by number.
std::string write_case(const CaseFile& file, Defaults defaults = Defaults::of_older_keys);

// The map of a friction section. `places`: the key of what varies along y.
std::string friction_text(const Friction& friction, std::string_view places = "y");

}  // namespace slipfield
