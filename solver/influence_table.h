// Influence coefficients tabulated over all differences of element positions.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/influence_coefficients.h"

namespace slipfield {

// Where the loaded rectangles are seen from: displacement at x + (offset_x, offset_y) [length].
// Zero but in rolling, where the displacement one step ago is that of the particle at x + dq (cos
// chi, sin chi).
struct Offset {
  double x = 0.0;
  double y = 0.0;
  [[nodiscard]] bool zero() const { return x == 0.0 && y == 0.0; }
};

// values[(ky + my - 1) * (2 mx - 1) + kx + mx - 1] = A(kx dx + offset_x, ky dy + offset_y)
// for -mx < kx < mx, -my < ky < my [length^3/force].
struct InfluenceTable {
  int mx = 0;
  int my = 0;
  std::vector<double> values;

  [[nodiscard]] std::size_t width() const { return 2 * static_cast<std::size_t>(mx) - 1; }
  [[nodiscard]] const double* at(int kx, int ky) const {
    return values.data() + static_cast<std::size_t>(ky + my - 1) * width() +
           static_cast<std::size_t>(kx + mx - 1);
  }
};

InfluenceTable influence_table(Component component, const Grid& grid,
                               const CombinedMaterial& material, Offset offset = {});

}  // namespace slipfield
