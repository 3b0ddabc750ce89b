// SPDX-License-Identifier: Apache-2.0
// The elements of a grid that are written: a window of it, the row or column through a place.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

// The elements ix0 <= ix < ix1, iy0 <= iy < iy1.
struct Window {
  int ix0 = 0;
  int iy0 = 0;
  int ix1 = 0;
  int iy1 = 0;
};
Window whole_window(const Grid& grid);

// Throws InputError where a place asked for by --at is not on the grid.
void require_on_grid(const std::array<double, 2>& at, const Grid& grid, const std::string& file);

// The element that holds the coordinate, of `count` elements of `size` from `origin`; the nearest
// one outside of them. A place between two elements is in the second one.
int element_at(double place, double origin, double size, int count);
// The pressure's centroid (x, y); where it is not in contact, as of a contact in several parts, the
// place of the greatest value; nothing without pressure.
std::optional<std::array<double, 2>> middle_of_pressure(const std::vector<double>& pressure,
                                                        const Grid& grid);

}  // namespace slipfield
