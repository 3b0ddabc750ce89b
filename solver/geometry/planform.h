// SPDX-License-Identifier: Apache-2.0
// Outlines in the (x, y) plane [length] that bound where two bodies can touch
// (THEORY.md 3.7).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

struct EllipseOutline {  // a circle where the semi-axes are equal
  double semi_axis_x = 0.0;
  double semi_axis_y = 0.0;
};

struct RectangleOutline {
  double half_width_x = 0.0;
  double half_width_y = 0.0;
};

// At least three vertices [x, y], in either sense of rotation; edges neither cross nor touch.
struct PolygonOutline {
  std::vector<std::array<double, 2>> vertices;
};

// h = 0 inside the outline and on it, infinite outside.
struct PlanformShape {
  std::variant<EllipseOutline, RectangleOutline, PolygonOutline> outline;
  double centre_x = 0.0;
  double centre_y = 0.0;
};

struct ElementRange {  // elements first to last of a row; empty if last < first
  int first = 0;
  int last = -1;
};

// The elements of row iy with their centre inside the outline or, to 1e-9 of an element, on it.
// Ranges may overlap.
std::vector<ElementRange> elements_inside(const PlanformShape& shape, const Grid& grid, int iy);

bool any_element_inside(const PlanformShape& shape, const Grid& grid);

// Two edges that cross, touch or overlap, each given by the index of its first vertex.
std::optional<std::array<std::size_t, 2>> meeting_edges(const PolygonOutline& polygon);

}  // namespace slipfield
