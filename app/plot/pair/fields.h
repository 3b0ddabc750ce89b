// SPDX-License-Identifier: Apache-2.0
// Which fields a figure of several results shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/row.h"

namespace slipfield {

// The fields asked for, `traction` and `slip` as their two components; without a choice those of
// the pressure and the tractions that all results have and that are not zero in all. `what`: "a
// cut", for the message. Throws InputError where none is left, or for what has no numbers to draw.
std::vector<std::string> drawn_fields(std::vector<FieldsOfStep>& results,
                                      const std::vector<std::string>& wanted,
                                      std::string_view what);

// The title that all have, or the names of the files.
std::string common_title(const std::vector<ResultHeader>& headers,
                         const std::vector<std::string>& names);

}  // namespace slipfield
