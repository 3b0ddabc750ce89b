// SPDX-License-Identifier: Apache-2.0
// The shape of a contact: area, outline, spots and the gaps between them (THEORY.md 4.10).
#pragma once

#include <vector>

#include "solver/grid.h"
#include "solver/solution.h"

namespace slipfield {

struct ContactSpots {
  double area = 0.0;            // of the elements in contact [length^2]
  double area_corrected = 0.0;  // less the excess of elements on the outline [length^2]
  double perimeter = 0.0;       // of the elements' outline [length]
  int count = 0;                // number of spots: groups of elements in contact that share sides
  double largest_area = 0.0;    // of the largest spot [length^2]
  double mean_gap = 0.0;        // over all elements that can touch [length]
  bool open_along_x =
      false;  // gaps that share sides lead across the grid, or around it if it repeats
  bool open_along_y = false;
};

// The outline follows the edges of a free grid and continues across periodic ones. gap, division:
// fields over the grid.
ContactSpots contact_spots(const Grid& grid, const std::vector<ElementState>& division,
                           const std::vector<double>& gap);

// The spot number of each element, counted from 0 in the order of the spots' first elements; -1 out
// of contact.
std::vector<int> spot_numbers(const Grid& grid, const std::vector<ElementState>& division);

}  // namespace slipfield
