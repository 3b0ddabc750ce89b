// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/influence_table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>

#include "solver/influence/periodic_images.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

// of(previous): the coefficient of the displacement now, or of that one step ago.
template <class Of>
double of_kind(Displacement displacement, const Of& of) {
  switch (displacement) {
    case Displacement::previous:
      return of(true);
    case Displacement::change:
      return of(false) - of(true);
    default:
      return of(false);
  }
}

// The current displacement of bodies without memory, including the layer between them.
struct CurrentCoefficient {
  Component component = Component::nn;
  const Grid& grid;
  const CombinedMaterial& material;
  const std::vector<LayerImage>& layers;
  PeriodicImages images;

  [[nodiscard]] ElementWithImages element() const {
    return {component, grid.dx, grid.dy, material, images};
  }
  double operator()(double x, double y) const {
    if (images.exist()) return element().at(x, y);
    double sum = influence_coefficient(component, x, y, grid.dx, grid.dy, material);
    if (has_layer(material)) sum += layer_coefficient(component, x, y, grid.dx, grid.dy, material);
    if (!layers.empty())
      sum += image_coefficient(component, x, y, grid.dx, grid.dy, view_of(layers));
    return sum;
  }
};

double elastic_coefficient(Component component, double x, double y, const Grid& grid,
                           const CombinedMaterial& material, const InfluenceKind& kind) {
  const CurrentCoefficient now{component, grid, material, kind.layers, images_of(grid)};
  return of_kind(kind.displacement, [&](bool previous) {
    return previous ? now(x + kind.offset_x, y + kind.offset_y) : now(x, y);
  });
}

// layers: number of images of layered bodies, whose sum takes most of a coefficient's time.
TeamWork table_work(const Grid& grid, double coefficients, std::size_t layers = 0) {
  constexpr double kOfCoefficient = 1.5e-7;  // seconds
  return {grid.count() >= kLeastForProducts,
          kOfCoefficient * coefficients * static_cast<double>(1 + layers)};
}

// Coefficients of displacements now at (kx dx + shift_x, ky dy + shift_y), |kx| < columns and |ky|
// < rows. In a direction without shift one half follows from the other by parity and is not
// computed.
class CoefficientLattice {
 public:
  struct Extent {
    int columns = 1;
    int rows = 1;
    double shift_x = 0.0;
    double shift_y = 0.0;
  };
  CoefficientLattice(const CurrentCoefficient& coefficient, const Extent& extent)
      : sign_(parity(coefficient.component)),
        least_x_(extent.shift_x == 0.0 ? 0 : 1 - extent.columns),
        least_y_(extent.shift_y == 0.0 ? 0 : 1 - extent.rows),
        width_(extent.columns - least_x_) {
    values_.resize(as_size(width_) * as_size(extent.rows - least_y_));
    if (coefficient.images.exist())
      fill_lines(coefficient, extent);
    else
      fill(coefficient, extent);
  }

  [[nodiscard]] double at(int kx, int ky) const {
    const bool other_x = kx < least_x_;
    const bool other_y = ky < least_y_;
    const int sign = (other_x ? sign_.x : 1) * (other_y ? sign_.y : 1);
    return sign * values_[place(other_x ? -kx : kx, other_y ? -ky : ky)];
  }

 private:
  void fill(const CurrentCoefficient& coefficient, const Extent& extent) {
    const Grid& grid = coefficient.grid;
    const TeamWork work =
        table_work(grid, static_cast<double>(values_.size()), coefficient.layers.size());
    const bool transposed = equals_transpose(coefficient, extent);
#pragma omp parallel for schedule(dynamic, 4) if (work.by_all())
    for (int ky = least_y_; ky < extent.rows; ++ky) {
      const bool has_twin = transposed && ky < extent.columns;  // what lies left of the diagonal
      for (int kx = has_twin ? ky : least_x_; kx < extent.columns; ++kx) {
        const double value =
            coefficient(kx * grid.dx + extent.shift_x, ky * grid.dy + extent.shift_y);
        values_[place(kx, ky)] = value;
        if (has_twin && kx > ky && kx < extent.rows) values_[place(ky, kx)] = value;
      }
    }
  }

  // Whether A(x, y) is A(y, x) to the last bit: A_nn of half-spaces and square elements, whose two
  // terms change places.
  static bool equals_transpose(const CurrentCoefficient& coefficient, const Extent& extent) {
    return coefficient.component == Component::nn && coefficient.grid.dx == coefficient.grid.dy &&
           extent.shift_x == 0.0 && extent.shift_y == 0.0 && coefficient.layers.empty() &&
           !has_layer(coefficient.material);
  }

  // With images: line by line along the period.
  void fill_lines(const CurrentCoefficient& coefficient, const Extent& extent) {
    constexpr double kOfLine = 300.0;  // cost of starting a line, in coefficients
    constexpr double kOfPlace = 4.0;
    const Grid& grid = coefficient.grid;
    const ElementWithImages element = coefficient.element();
    const bool along_y = coefficient.images.along_y;
    const int first = along_y ? least_x_ : least_y_;
    const int end = along_y ? extent.columns : extent.rows;
    const TeamWork work =
        table_work(grid, kOfLine * (end - first) + kOfPlace * static_cast<double>(values_.size()));
#pragma omp parallel for schedule(dynamic, 4) if (work.by_all())
    for (int across = first; across < end; ++across) {
      if (along_y) {
        const LineOfImages line(element, across * grid.dx + extent.shift_x);
        for (int ky = least_y_; ky < extent.rows; ++ky)
          values_[place(across, ky)] = line.at(ky * grid.dy + extent.shift_y);
      } else {
        const LineOfImages line(element, across * grid.dy + extent.shift_y);
        for (int kx = least_x_; kx < extent.columns; ++kx)
          values_[place(kx, across)] = line.at(kx * grid.dx + extent.shift_x);
      }
    }
  }

  static std::size_t as_size(int value) { return static_cast<std::size_t>(value); }
  [[nodiscard]] std::size_t place(int kx, int ky) const {
    return as_size(ky - least_y_) * as_size(width_) + as_size(kx - least_x_);
  }

  Parity sign_;
  int least_x_;
  int least_y_;
  int width_;
  UninitializedVector<double> values_;
};

// offset over spacing, if that is an integer of at most `most`.
std::optional<int> whole_spacings(double offset, double spacing, int most) {
  const double spacings = std::round(offset / spacing);
  if (!(std::abs(spacings) <= most) || spacings * spacing != offset) return std::nullopt;
  return static_cast<int>(spacings);
}

// half: only rows ky >= 0.
InfluenceTable elastic_table(Component component, const Grid& grid,
                             const CombinedMaterial& material, const InfluenceKind& kind,
                             const PeriodicImages& images, bool half = false) {
  const bool moves = kind.displacement != Displacement::current;
  const std::optional<int> whole_x = whole_spacings(kind.offset_x, grid.dx, grid.mx);
  const std::optional<int> whole_y = whole_spacings(kind.offset_y, grid.dy, grid.my);
  const bool whole = whole_x && whole_y;  // both displacements are on one lattice
  const int ahead_x = moves && whole ? *whole_x : 0;
  const int ahead_y = moves && whole ? *whole_y : 0;
  const CurrentCoefficient now{component, grid, material, kind.layers, images};
  std::optional<CoefficientLattice> current;
  std::optional<CoefficientLattice> previous;
  if (whole || kind.displacement != Displacement::previous)
    current.emplace(
        now, CoefficientLattice::Extent{grid.mx + std::abs(ahead_x), grid.my + std::abs(ahead_y)});
  if (moves && !whole)
    previous.emplace(now,
                     CoefficientLattice::Extent{grid.mx, grid.my, kind.offset_x, kind.offset_y});

  InfluenceTable table{grid.mx, grid.my, {}, half};
  table.values.resize(table.size());
  double* const origin = table.values.data() + table.place(0, 0);
  const auto width = static_cast<std::ptrdiff_t>(table.width());
  constexpr double kTaken = 0.02;  // cost of copying a coefficient relative to computing it
  const TeamWork work = table_work(grid, kTaken * static_cast<double>(table.values.size()));
#pragma omp parallel for schedule(static) if (work.by_all())
  for (int ky = table.first_row(); ky < grid.my; ++ky) {
    for (int kx = 1 - grid.mx; kx < grid.mx; ++kx)
      origin[ky * width + kx] = of_kind(kind.displacement, [&](bool before) {
        if (!before) return current->at(kx, ky);
        return previous ? previous->at(kx, ky) : current->at(kx + ahead_x, ky + ahead_y);
      });
  }
  return table;
}

// Adds the memory of the bodies to the elastic coefficients.
void add_memories(Component component, const Grid& grid, const InfluenceKind& kind,
                  const PeriodicImages& images, InfluenceTable& table) {
  MemoryShares shares{1.0, 0.0, 0.0, images};
  if (kind.displacement == Displacement::previous) shares = {0.0, 1.0, 0.0, images};
  if (kind.displacement == Displacement::change) shares.ahead = -1.0;
  for (const MemoryTerm& term : kind.memory) {
    if (term.length_x != 0.0 || term.length_y != 0.0) {
      shares.step = term.length_y != 0.0 ? std::copysign(1.0, term.length_y) * kind.offset_y
                                         : std::copysign(1.0, term.length_x) * kind.offset_x;
      add_memory(component, grid, term, shares, table.values);
      continue;
    }
    // Creep without delay: a length of 0 has no direction of rolling, so the kind supplies it.
    const InfluenceTable soft = elastic_table(component, grid, term.material, kind, images);
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
    sum += of_kind(kind.displacement, [&](bool previous) {
      return memory_coefficient(component, previous ? x + kind.offset_x : x,
                                previous ? y + kind.offset_y : y, grid, term);
    });
  if (x == 0.0 && y == 0.0) sum += own_compliance(component, kind);
  return sum;
}

InfluenceTable influence_table(Component component, const Grid& grid,
                               const CombinedMaterial& material, const InfluenceKind& kind,
                               TableReach reach) {
  Grid tabulated = grid;
  if (reach.columns > 0) tabulated.mx = reach.columns;
  if (reach.rows > 0) tabulated.my = reach.rows;
  const PeriodicImages images = images_of(grid);
  const Parity even = parity(component);
  const bool half = reach.half && has_parity(kind) && even.x > 0 && even.y > 0;
  InfluenceTable table = elastic_table(component, tabulated, material, kind, images, half);
  add_memories(component, tabulated, kind, images, table);
  table.values[table.place(0, 0)] += own_compliance(component, kind);
  return table;
}

}  // namespace slipfield
