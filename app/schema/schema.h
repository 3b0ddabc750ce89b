// SPDX-License-Identifier: Apache-2.0
// The JSON Schema (draft 7) of the case file, from its tables of keys (io/case/table.h).
//
// What the schema refuses the reader refuses. What the reader refuses for a key, a type, a range or
// a word the schema refuses; what depends on several values (a profile that does not increase), on
// files or on the grid only the reader knows.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace slipfield {

nlohmann::ordered_json case_schema();

}  // namespace slipfield
