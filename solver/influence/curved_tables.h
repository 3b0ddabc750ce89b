// SPDX-License-Identifier: Apache-2.0
// The coefficients of curved surfaces on a grid, all nine for each pair of elements (THEORY.md
// 2.9).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/influence/curved_influence.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

// Half-space coefficients for a loaded element whose surface is inclined by `turn` [rad] more than
// that of the other, after Blanco-Lorenzo et al. 2016 and the variants of CONTACT (manual of 2025;
// m_inflcf.f90). With R the rotation about x of a load (p_y, p_n) or a displacement, the variants
// are
//   1: A R, the load seen from the other element   2: the same without the coefficient xn
//   3: R A, the displacement                       4: half of the rotation on either side.
// Only 4 keeps the reciprocity of the half-space.
CoefficientMatrix turned_coefficients(const CoefficientMatrix& half_space, double turn,
                                      int variant);

// Inclination [rad] of the surface at y, and the slope of its least-squares line [rad/length].
double inclination(const ConformalCorrection& conformal, double y);
double inclination_slope(const ConformalCorrection& conformal);

class CurvedTables {
 public:
  // The kind must have curved coefficients; its offset is along x, by whole elements for tables.
  CurvedTables(const Grid& grid, const CombinedMaterial& material, const InfluenceKind& kind);

  [[nodiscard]] bool by_row() const { return kind_.curved->by_row(); }
  // The coefficients for an element (kx, ky) away from one in the loaded row jy [length^3/force].
  // jy matters only if by_row().
  [[nodiscard]] CoefficientMatrix at(int kx, int ky, int jy) const;
  // Tables over all differences of positions, indexed by pair_of(); only if not by_row().
  [[nodiscard]] std::array<InfluenceTable, 9> tables() const;
  // The coefficients between the loaded row jy and the row iy, times `scale`, as one period of nx
  // >= 2 mx - 1 positions: pair p starts at out[p * stride], kx < 0 is stored at kx + nx, and
  // unused positions are 0.
  void period(int iy, int jy, int nx, double scale, std::size_t stride, double* out) const;

 private:
  [[nodiscard]] CoefficientMatrix half_space(int kx, int ky) const;
  [[nodiscard]] CoefficientMatrix tabulated(int kx, int ky, int jy) const;

  Grid grid_;
  InfluenceKind kind_;
  double compliance_;                                   // 1/G
  int ahead_ = 0;                                       // offset along x, in elements
  std::array<InfluenceTable, kComponents> half_space_;  // used by the conformal correction
  std::vector<double> inclination_;                     // of each row, if by_row()
  double slope_ = 0.0;
};

}  // namespace slipfield
