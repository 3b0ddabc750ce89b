// SPDX-License-Identifier: Apache-2.0
// Influence coefficients tabulated over all differences of element positions (THEORY.md 2.4).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "solver/grid.h"
#include "solver/influence/block.h"
#include "solver/influence/curved_influence.h"
#include "solver/influence/fading_memory.h"
#include "solver/influence/half_space_symbol.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/influence/layered_bodies.h"
#include "solver/influence/patch_modes.h"
#include "solver/threads/uninitialized_vector.h"

namespace slipfield {

// What the coefficients map tractions to. In rolling the particle now at x was at x + offset one
// step ago, with offset = dq (cos chi, sin chi).
enum class Displacement {
  current,   // A(x): displacement now
  previous,  // A(x + offset): displacement of the particles one step ago, by tractions at their
             // place then
  change,    // A(x) - A(x + offset): by tractions that move along, steady rolling
};

struct InfluenceKind {
  Displacement displacement = Displacement::current;
  double offset_x = 0.0;  // [length]
  double offset_y = 0.0;
  std::vector<MemoryTerm> memory = {};  // of viscoelastic bodies that roll steadily
  std::vector<LayerImage> layers = {};  // of bodies of layers
  // Modes of the weights between patches, for u_n by pressure; null: none.
  std::shared_ptr<const PatchModes> patches = {};
  // Coefficients of curved surfaces, in place of the half-space's; null: none.
  std::shared_ptr<const CurvedInfluence> curved = {};
  // Displacement of each element by its own tangential tractions, along them, on top of the rest
  // [length^3/force]; not of curved surfaces, nor where several GPUs share the rows.
  double own_compliance = 0.0;
  bool operator==(const InfluenceKind&) const = default;
};

// The share of the inverse symbols that precondition newton (block.h).
inline double tangential_share(const InfluenceKind& kind, const Grid& grid) {
  if (kind.displacement != Displacement::change) return kTransientShare;
  return steady_share(grid.mx * grid.dx, grid.my * grid.dy, grid.dx, grid.dy, kind.offset_x,
                      kind.offset_y);
}

// values[(ky + my - 1) * (2 mx - 1) + kx + mx - 1] = coefficient of the kind at (kx dx, ky dy)
// for -mx < kx < mx, -my < ky < my [length^3/force].
struct InfluenceTable {
  int mx = 0;
  int my = 0;
  UninitializedVector<double> values;

  [[nodiscard]] std::size_t width() const { return 2 * static_cast<std::size_t>(mx) - 1; }
  [[nodiscard]] const double* at(int kx, int ky) const {
    return values.data() + static_cast<std::size_t>(ky + my - 1) * width() +
           static_cast<std::size_t>(kx + mx - 1);
  }
};

// How far a table goes: |kx| < columns, |ky| < rows; 0: as far as the grid.
struct TableReach {
  int columns = 0;
  int rows = 0;
};

// The table of half-spaces, whether or not the kind has coefficients of curved surfaces. Of a grid
// that is periodic in one direction with all images (periodic_images.h); of one that is periodic in
// both without: it has a symbol instead.
InfluenceTable influence_table(Component component, const Grid& grid,
                               const CombinedMaterial& material, const InfluenceKind& kind = {},
                               TableReach reach = {});

// The table is even or odd in x and y, as parity() has it.
inline bool has_parity(const InfluenceKind& kind) {
  return kind.displacement == Displacement::current && kind.memory.empty();
}

// Whether A_nn is symmetric, as conjugate gradients need it.
inline bool has_symmetric_normal(const InfluenceKind& kind) {
  return kind.memory.empty() && kind.curved == nullptr;
}

// The same coefficient, with a layer's, for one difference of positions (x, y).
double influence_coefficient(Component component, double x, double y, const Grid& grid,
                             const CombinedMaterial& material, const InfluenceKind& kind);

}  // namespace slipfield
