// SPDX-License-Identifier: Apache-2.0
// The JSON Schema (draft 7) of the case file, from its tables of keys (io/case/table.h).
//
// The reader refuses everything that the schema refuses. The schema refuses what the reader does
// for keys, types, ranges and words; only the reader checks what depends on several values (such as
// a profile that does not increase), on files or on the grid.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace slipfield {

nlohmann::ordered_json case_schema();

}  // namespace slipfield
