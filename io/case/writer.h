// SPDX-License-Identifier: Apache-2.0
// Writes a case.
#pragma once

#include <string>

#include "io/case/reader.h"

namespace slipfield {

// Returns YAML, schema 1, without using `resolved_yaml`. read_case() reads back the same problem,
// output settings and expectations, number by number.
std::string write_case(const CaseFile& file);

}  // namespace slipfield
