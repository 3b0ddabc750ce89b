// SPDX-License-Identifier: Apache-2.0
// From a field of many elements to what a picture can show: a window of the grid, means over
// blocks of elements, thinned arrows, the contour of the contact.
//
// Fields are arrays over the grid, x fastest. A division may be empty (the file does not hold it):
// then every element counts as in contact.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solver/grid.h"
#include "solver/solution.h"

namespace slipfield {

// The elements ix0 <= ix < ix1, iy0 <= iy < iy1.
struct Window {
  int ix0 = 0;
  int iy0 = 0;
  int ix1 = 0;
  int iy1 = 0;

  [[nodiscard]] bool empty() const { return ix0 >= ix1; }
  [[nodiscard]] int mx() const { return ix1 - ix0; }
  [[nodiscard]] int my() const { return iy1 - iy0; }
};
Window whole_window(const Grid& grid);
// The rectangle around the contact; empty without contact.
Window contact_window(const std::vector<ElementState>& division, const Grid& grid);
Window united(const Window& a, const Window& b);
// Wider by a tenth of the longer side on every side, at least by one element; within the grid.
Window with_margin(const Window& window, const Grid& grid);

// Throws InputError where a place asked for by --at is not on the grid.
void require_on_grid(const std::array<double, 2>& at, const Grid& grid, const std::string& file);

// The element that holds the coordinate, of `count` elements of `size` from `origin`; the nearest
// one outside of them. A place between two elements is in the second one.
int element_at(double place, double origin, double size, int count);
// The pressure's centroid (x, y); where it is not in contact, as of a contact in several parts, the
// place of the greatest value; nothing without pressure.
std::optional<std::array<double, 2>> middle_of_pressure(const std::vector<double>& pressure,
                                                        const Grid& grid);

// Blocks of elements that become one pixel, and the grid of these pixels: at most `most` in each
// direction. The first and the last block of a row or column may be cut off by the window.
struct Blocks {
  Window window;
  int ix0 = 0;  // first element of the first block
  int iy0 = 0;
  int bx = 1;
  int by = 1;
  Grid pixels;

  [[nodiscard]] bool single() const { return bx == 1 && by == 1; }
};
Blocks blocks_of(const Grid& grid, const Window& window, int most);

// Mean of the finite values of each block; not a number where there is none. With a division only
// elements in contact count.
std::vector<double> block_means(const std::vector<double>& values, const Grid& grid,
                                const Blocks& blocks, const std::vector<ElementState>& division);
// Exterior where no element of the block is in contact; otherwise the most frequent of slip,
// adhesion and plastic, the first of these where they are equal.
std::vector<ElementState> block_states(const std::vector<ElementState>& division, const Grid& grid,
                                       const Blocks& blocks);

// Each pixel repeated in both directions until there are at least `least` of them: viewers of SVG
// smooth the pixels of an image where they enlarge it.
void enlarge(std::vector<double>& values, Grid& pixels, int least);

// Edges of elements between the contact and the exterior, straight runs joined [length].
struct Segment {
  double x0 = 0.0;
  double y0 = 0.0;
  double x1 = 0.0;
  double y1 = 0.0;
};
std::vector<Segment> contact_outline(const std::vector<ElementState>& states, const Grid& grid);

// One vector for each block of elements of nearly `spacing` in both directions, the blocks
// symmetric in the window: the mean over the elements in contact, in their middle. Blocks without
// contact and vectors of length 0 have no arrow.
struct Arrow {
  double x = 0.0;
  double y = 0.0;
  double u = 0.0;
  double v = 0.0;
};
struct ArrowField {
  std::vector<Arrow> arrows;
  double spacing = 0.0;  // the smaller distance between two arrows [length]
  int bx = 1;            // elements of a block
  int by = 1;
};
ArrowField thin_arrows(const std::vector<double>& u, const std::vector<double>& v, const Grid& grid,
                       const Window& window, const std::vector<ElementState>& division,
                       int most_per_direction);

}  // namespace slipfield
