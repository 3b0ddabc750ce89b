// SPDX-License-Identifier: Apache-2.0
// The shape of a contact: area, outline, spots and the gaps between them (THEORY.md 4.10).
#pragma once

#include <vector>

#include "solver/grid.h"
#include "solver/solution.h"

namespace slipfield {

struct ContactSpots {
  double area = 0.0;            // of the elements in contact
  double area_corrected = 0.0;  // less what elements on the outline count too much
  double perimeter = 0.0;       // of the elements' outline
  int count = 0;                // spots: elements in contact that share a side
  double largest_area = 0.0;    // of a spot
  double mean_gap = 0.0;        // over all elements that can touch
  bool open_along_x =
      false;  // gaps that share sides lead through the grid; where it repeats, all around it
  bool open_along_y = false;
};

// The outline ends at the edges of a free grid and continues where the grid repeats.
// gap, division: fields over the grid.
ContactSpots contact_spots(const Grid& grid, const std::vector<ElementState>& division,
                           const std::vector<double>& gap);

// For each element the number of its spot, from 0 in the order of their first elements; -1 out of
// contact.
std::vector<int> spot_numbers(const Grid& grid, const std::vector<ElementState>& division);

}  // namespace slipfield
