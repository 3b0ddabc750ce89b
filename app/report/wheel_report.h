// SPDX-License-Identifier: Apache-2.0
// A wheel on a rail as lines of text and as JSON, for `run`, `check` and `inspect`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/result/wheel/table.h"

namespace slipfield {

struct WheelRailCase;  // io/case/wheel_rail/wheel_rail.h

// A table with a line for each contact of a step, or one that says that there is none.
std::vector<std::string> wheel_head(int width);
std::vector<std::string> wheel_rows(const WheelRecord& record, int width);

// Every number of the step and of its contacts, a line each.
std::vector<std::string> wheel_numbers_text(const WheelRecord& record, Units units, int width);

// Numbers that are not finite are null.
nlohmann::ordered_json wheel_json(const WheelRecord& record);

// What the case's profiles are: points, extent, and what was done to them.
std::vector<std::string> profiles_text(const WheelRailCase& wheel_rail);

}  // namespace slipfield
