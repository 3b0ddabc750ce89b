// Elements that entered the contact at its leading edge during a rolling step longer than an
// element.
//
// Such an element was in contact over a part of the step only: it gets that fraction of the rigid
// slip, and its particle started from the displacement at the edge (physics.md section 4).
#pragma once

#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/solution.h"
#include "solver/tangential_ops.h"

namespace slipfield {

struct LeadingEdge {
  std::vector<double>
      fraction;  // of the step that the element was in contact, 1 where it was all the time
  std::vector<int> edge;  // element behind the edge where it entered; -1: was in contact before
};

// Rolling along x, forwards (direction 0) or backwards, over `step` [length].
inline LeadingEdge find_leading_edge(const Grid& grid, const std::vector<unsigned char>& state,
                                     bool forwards, double step) {
  LeadingEdge result{std::vector<double>(grid.count(), 1.0), std::vector<int>(grid.count(), -1)};
  for (int iy = 0; iy < grid.my; ++iy) {
    int edge = -1;
    for (int k = 0; k < grid.mx; ++k) {
      const int ix = forwards ? grid.mx - 1 - k : k;
      const std::size_t i = grid.index(ix, iy);
      if (!in_contact(state[i])) {
        edge = -1;
        continue;
      }
      if (edge < 0) edge = ix;
      const double behind = (std::abs(edge - ix) + 1.0) * grid.dx;
      if (behind >= step) continue;
      result.fraction[i] = behind / step;
      result.edge[i] = static_cast<int>(grid.index(edge, iy));
    }
  }
  return result;
}

}  // namespace slipfield
