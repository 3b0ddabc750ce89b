// SPDX-License-Identifier: Apache-2.0
// Elements that entered the contact at its leading edge during a rolling step longer than an
// element.
//
// Such an element was in contact over a part of the step only: it gets that fraction of the rigid
// slip, and its particle started from the displacement at the edge (THEORY.md 5.5).
#pragma once

#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/solution.h"
#include "solver/tangential/tangential_ops.h"

namespace slipfield {

struct LeadingEdge {
  std::vector<double>
      fraction;  // of the step that the element was in contact, 1 where it was all the time
  std::vector<int> edge;  // element behind the edge where it entered; -1: was in contact before
};

// Rolling along x or y, forwards (direction 0 or 90) or backwards, over `step` [length]. Edges are
// counted from element `first` on, where grid is some rows of another.
inline LeadingEdge find_leading_edge(const Grid& grid, const std::vector<unsigned char>& state,
                                     bool along_y, bool forwards, double step,
                                     std::size_t first = 0) {
  LeadingEdge result{std::vector<double>(grid.count(), 1.0), std::vector<int>(grid.count(), -1)};
  const int lines = along_y ? grid.mx : grid.my;
  const int length = along_y ? grid.my : grid.mx;
  const double element = along_y ? grid.dy : grid.dx;
  const auto index = [&](int k, int line) {
    return along_y ? grid.index(line, k) : grid.index(k, line);
  };
  for (int line = 0; line < lines; ++line) {
    int edge = -1;
    for (int from_edge = 0; from_edge < length; ++from_edge) {
      const int k = forwards ? length - 1 - from_edge : from_edge;
      const std::size_t i = index(k, line);
      if (!in_contact(state[i])) {
        edge = -1;
        continue;
      }
      if (edge < 0) edge = k;
      const double behind = (std::abs(edge - k) + 1.0) * element;
      if (behind >= step) continue;
      result.fraction[i] = behind / step;
      result.edge[i] = static_cast<int>(first + index(edge, line));
    }
  }
  return result;
}

}  // namespace slipfield
