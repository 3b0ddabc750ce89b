// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/force/carried_state.h"

#include <algorithm>
#include <cmath>

namespace slipfield {
namespace {

std::vector<double> moved_field(const std::vector<double>& values, const Grid& from,
                                const Grid& to) {
  const int columns = static_cast<int>(std::lround((to.x0 - from.x0) / to.dx));
  const int rows = static_cast<int>(std::lround((to.y0 - from.y0) / to.dy));
  std::vector<double> moved(to.count(), 0.0);
  for (int iy = std::max(0, -rows); iy < std::min(to.my, from.my - rows); ++iy)
    for (int ix = std::max(0, -columns); ix < std::min(to.mx, from.mx - columns); ++ix)
      moved[to.index(ix, iy)] = values[from.index(ix + columns, iy + rows)];
  return moved;
}

}  // namespace

std::optional<SolverState> carried_state(const SolverState& state, const Grid& from,
                                         const Grid& to) {
  SolverState carried;
  for (const auto& [name, values] : state) {
    if (name == "undeformed_distance" || name == "scalars") continue;
    if (values.size() != from.count()) return std::nullopt;
    carried[name] = moved_field(values, from, to);
  }
  return carried;
}

}  // namespace slipfield
