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

// Which displacement the coefficients give. In rolling the particle now at x was at x + offset one
// step ago, with offset = dq (cos chi, sin chi).
enum class Displacement {
  current,   // A(x): displacement now
  previous,  // A(x + offset): displacement of the particles one step ago, by tractions at their
             // place then
  change,    // A(x) - A(x + offset): due to tractions that move along, in steady rolling
};

struct InfluenceKind {
  Displacement displacement = Displacement::current;
  double offset_x = 0.0;  // [length]
  double offset_y = 0.0;
  std::vector<MemoryTerm> memory = {};  // of steadily rolling viscoelastic bodies
  std::vector<LayerImage> layers = {};  // of layered bodies
  // Modes of the weights between patches, for u_n due to pressure; null: none.
  std::shared_ptr<const PatchModes> patches = {};
  // Coefficients of curved surfaces, replacing the half-space's; null: none.
  std::shared_ptr<const CurvedInfluence> curved = {};
  // Additional displacement of each element by its own tangential tractions, in their direction
  // [length^3/force]; not for curved surfaces, nor if several GPUs share the rows.
  double own_compliance = 0.0;
  bool operator==(const InfluenceKind&) const = default;
};

// Whether pressure may displace the surfaces against each other, and tangential tractions change
// their distance: unlike half-spaces do, and what the kind adds to half-spaces may.
inline bool may_couple(const CombinedMaterial& material, const InfluenceKind& kind) {
  return material.coupling != 0.0 || !kind.layers.empty() || !kind.memory.empty() ||
         kind.curved != nullptr;
}

// The share (block.h) of the inverse symbols that precondition newton.
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
  bool is_even = false;  // in x and y: only rows ky >= 0 are stored, row 0 first

  [[nodiscard]] int first_row() const { return is_even ? 0 : 1 - my; }
  [[nodiscard]] std::size_t width() const { return 2 * static_cast<std::size_t>(mx) - 1; }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(my - first_row()) * width();
  }
  [[nodiscard]] std::size_t place(int kx, int ky) const {
    const int row = is_even && ky < 0 ? -ky : ky - first_row();
    return static_cast<std::size_t>(row) * width() + static_cast<std::size_t>(kx + mx - 1);
  }
  [[nodiscard]] const double* at(int kx, int ky) const { return values.data() + place(kx, ky); }
};

// Extent of a table: |kx| < columns, |ky| < rows; 0: as far as the grid.
struct TableReach {
  int columns = 0;
  int rows = 0;
  bool half = false;  // only rows ky >= 0 if the coefficients are even in x and y
};

// The table of half-spaces, even if the kind has coefficients of curved surfaces. On a grid that is
// periodic in one direction it includes all images (periodic_images.h); on one that is periodic in
// both it has none: there a symbol is used instead.
InfluenceTable influence_table(Component component, const Grid& grid,
                               const CombinedMaterial& material, const InfluenceKind& kind = {},
                               TableReach reach = {});

// Whether the table is even or odd in x and y as given by parity().
inline bool has_parity(const InfluenceKind& kind) {
  return kind.displacement == Displacement::current && kind.memory.empty();
}

// Whether A_nn is symmetric, as conjugate gradients require.
inline bool has_symmetric_normal(const InfluenceKind& kind) {
  return kind.memory.empty() && kind.curved == nullptr;
}

// The coefficient for a single difference of positions (x, y), including a layer.
double influence_coefficient(Component component, double x, double y, const Grid& grid,
                             const CombinedMaterial& material, const InfluenceKind& kind);

}  // namespace slipfield
