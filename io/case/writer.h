// SPDX-License-Identifier: Apache-2.0
// Writes a case with nothing left to defaults.
#pragma once

#include <string>

#include "io/case/reader.h"

namespace slipfield {

// YAML, schema 1, without reading `resolved_yaml`. read_case() of the text gives the same problem,
// output settings and expectations, number by number.
std::string write_case(const CaseFile& file);

}  // namespace slipfield
