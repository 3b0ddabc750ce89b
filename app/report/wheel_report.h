// SPDX-License-Identifier: Apache-2.0
// A wheel on a rail as JSON, for `run` and `inspect`, and its profiles as lines of text, for
// `check`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/result/wheel/table.h"

namespace slipfield {

struct WheelRailCase;  // io/case/wheel_rail/wheel_rail.h

// Numbers that are not finite are null. side: one of the record's rows; empty: all. Null if the
// record has no such wheel.
nlohmann::ordered_json wheel_json(const WheelRecord& record, const std::string& side = {});

// Describes the case's profiles: points, extent and the changes made to them.
std::vector<std::string> profiles_text(const WheelRailCase& wheel_rail);

}  // namespace slipfield
