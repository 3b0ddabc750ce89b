// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/influence_table.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

// of(x, y): a coefficient of displacements now.
template <class Of>
double of_kind(const InfluenceKind& kind, double x, double y, const Of& of) {
  switch (kind.displacement) {
    case Displacement::previous:
      return of(x + kind.offset_x, y + kind.offset_y);
    case Displacement::change:
      return of(x, y) - of(x + kind.offset_x, y + kind.offset_y);
    default:
      return of(x, y);
  }
}

// Of bodies that remember nothing, and of the layer between them.
double elastic_coefficient(Component component, double x, double y, const Grid& grid,
                           const CombinedMaterial& material, const InfluenceKind& kind) {
  const double bodies = of_kind(kind, x, y, [&](double at_x, double at_y) {
    return influence_coefficient(component, at_x, at_y, grid.dx, grid.dy, material);
  });
  if (!has_layer(material)) return bodies;
  return bodies + of_kind(kind, x, y, [&](double at_x, double at_y) {
           return layer_coefficient(component, at_x, at_y, grid.dx, grid.dy, material);
         });
}

// In which directions one half of a table is the other one by its parity.
struct Mirrors {
  bool x = false;
  bool y = false;
};

// An offset along x leaves the parity in y, and one along y that in x.
Mirrors mirrors_of(const InfluenceKind& kind) {
  if (kind.displacement == Displacement::current) return {true, true};
  return {kind.offset_x == 0.0, kind.offset_y == 0.0};
}

InfluenceTable elastic_table(Component component, const Grid& grid,
                             const CombinedMaterial& material, const InfluenceKind& kind) {
  InfluenceTable table{grid.mx, grid.my, {}};
  table.values.resize(table.width() * (2 * static_cast<std::size_t>(grid.my) - 1));
  const Parity sign = parity(component);
  const Mirrors mirrors = mirrors_of(kind);
  double* const origin =
      table.values.data() + static_cast<std::size_t>(grid.my - 1) * table.width() + (grid.mx - 1);
  const auto width = static_cast<std::ptrdiff_t>(table.width());
  constexpr double kOfCoefficient = 1.5e-7;  // seconds
  const double quadrants = (mirrors.x ? 1.0 : 2.0) * (mirrors.y ? 1.0 : 2.0);
  const TeamWork work(grid.count() >= kLeastForThreads,
                      kOfCoefficient * quadrants * static_cast<double>(grid.count()));
#pragma omp parallel for schedule(dynamic, 4) if (work.by_all())
  for (int ky = mirrors.y ? 0 : 1 - grid.my; ky < grid.my; ++ky) {
    for (int kx = mirrors.x ? 0 : 1 - grid.mx; kx < grid.mx; ++kx) {
      const double value =
          elastic_coefficient(component, kx * grid.dx, ky * grid.dy, grid, material, kind);
      origin[ky * width + kx] = value;
      const bool in_x = mirrors.x && kx > 0;
      const bool in_y = mirrors.y && ky > 0;
      if (in_x) origin[ky * width - kx] = sign.x * value;
      if (in_y) origin[-ky * width + kx] = sign.y * value;
      if (in_x && in_y) origin[-ky * width - kx] = sign.x * sign.y * value;
    }
  }
  return table;
}

// What the bodies remember, on top of the elastic coefficients.
void add_memories(Component component, const Grid& grid, const InfluenceKind& kind,
                  InfluenceTable& table) {
  MemoryShares shares{1.0, 0.0, std::hypot(kind.offset_x, kind.offset_y)};
  if (kind.displacement == Displacement::previous) shares = {0.0, 1.0, shares.step};
  if (kind.displacement == Displacement::change) shares.ahead = -1.0;
  for (const MemoryTerm& term : kind.memory) {
    if (term.length_x != 0.0 || term.length_y != 0.0) {
      add_memory(component, grid, term, shares, table.values);
      continue;
    }
    // Creep at once: a length of 0 does not tell the direction of rolling, which the kind does.
    const InfluenceTable soft = elastic_table(component, grid, term.material, kind);
    std::transform(table.values.begin(), table.values.end(), soft.values.begin(),
                   table.values.begin(), std::plus<>());
  }
}

double own_compliance(Component component, const InfluenceKind& kind) {
  const bool along = component == Component::xx || component == Component::yy;
  return along ? kind.own_compliance : 0.0;
}

}  // namespace

double influence_coefficient(Component component, double x, double y, const Grid& grid,
                             const CombinedMaterial& material, const InfluenceKind& kind) {
  double sum = elastic_coefficient(component, x, y, grid, material, kind);
  for (const MemoryTerm& term : kind.memory)
    sum += of_kind(kind, x, y, [&](double at_x, double at_y) {
      return memory_coefficient(component, at_x, at_y, grid, term);
    });
  if (x == 0.0 && y == 0.0) sum += own_compliance(component, kind);
  return sum;
}

InfluenceTable influence_table(Component component, const Grid& grid,
                               const CombinedMaterial& material, const InfluenceKind& kind) {
  InfluenceTable table = elastic_table(component, grid, material, kind);
  add_memories(component, grid, kind, table);
  const std::size_t rows = static_cast<std::size_t>(grid.my) - 1;
  const std::size_t columns = static_cast<std::size_t>(grid.mx) - 1;
  table.values[rows * table.width() + columns] += own_compliance(component, kind);
  return table;
}

}  // namespace slipfield
