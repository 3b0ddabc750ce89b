#include "solver/influence/influence_table.h"

namespace slipfield {

double influence_coefficient(Component component, double x, double y, const Grid& grid,
                             const CombinedMaterial& material, const InfluenceKind& kind) {
  const auto at = [&](double shift_x, double shift_y) {
    return influence_coefficient(component, x + shift_x, y + shift_y, grid.dx, grid.dy, material);
  };
  switch (kind.displacement) {
    case Displacement::previous:
      return at(kind.offset_x, kind.offset_y);
    case Displacement::change:
      return at(0.0, 0.0) - at(kind.offset_x, kind.offset_y);
    default:
      return at(0.0, 0.0);
  }
}

InfluenceTable influence_table(Component component, const Grid& grid,
                               const CombinedMaterial& material, const InfluenceKind& kind) {
  InfluenceTable table{grid.mx, grid.my, {}};
  table.values.resize(table.width() * (2 * static_cast<std::size_t>(grid.my) - 1));
  const Parity sign = parity(component);
  const bool symmetric = kind.displacement == Displacement::current;
  double* const origin =
      table.values.data() + static_cast<std::size_t>(grid.my - 1) * table.width() + (grid.mx - 1);
  const auto width = static_cast<std::ptrdiff_t>(table.width());
#pragma omp parallel for schedule(dynamic, 4) if (grid.count() >= kLeastForThreads)
  for (int ky = symmetric ? 0 : 1 - grid.my; ky < grid.my; ++ky) {
    for (int kx = symmetric ? 0 : 1 - grid.mx; kx < grid.mx; ++kx) {
      const double value =
          influence_coefficient(component, kx * grid.dx, ky * grid.dy, grid, material, kind);
      origin[ky * width + kx] = value;
      if (!symmetric) continue;
      if (kx > 0) origin[ky * width - kx] = sign.x * value;
      if (ky > 0) origin[-ky * width + kx] = sign.y * value;
      if (kx > 0 && ky > 0) origin[-ky * width - kx] = sign.x * sign.y * value;
    }
  }
  return table;
}

}  // namespace slipfield
