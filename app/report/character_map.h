// SPDX-License-Identifier: Apache-2.0
// Draws a field as characters, y upwards, so that the row of the highest iy comes first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "solver/grid.h"
#include "solver/solution.h"

namespace slipfield {

// `.` exterior, `*` adhesion, `S` slip. If the grid is wider than `columns`, every k-th element in
// both directions is drawn, and a first line states k.
std::vector<std::string> draw_division(const std::vector<ElementState>& division, const Grid& grid,
                                       int columns);

// Without friction: `C` contact.
std::vector<std::string> draw_contact(const std::vector<ElementState>& division, const Grid& grid,
                                      int columns);

// The characters that occur, with their numbers of elements: ". exterior 80, * adhesion 12, S slip
// 8".
std::string division_legend(const std::vector<ElementState>& division, bool frictionless);

// Digits 0 to 9 for the value over the greatest absolute value, letters a to i for -1/9 to -1, `.`
// for exactly zero, `#` for infinite; the last line is the legend with the unit ("-": none).
std::vector<std::string> draw_field(const std::vector<double>& values, const Grid& grid,
                                    int columns, std::string_view unit = "-");

}  // namespace slipfield
