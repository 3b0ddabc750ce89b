// SPDX-License-Identifier: Apache-2.0
// Contacts of a batch that share their influence coefficients: the same grid shape, dy/dx,
// Poisson's ratio and rolling step, whatever their size, modulus and load (THEORY.md 6.8).
#pragma once

#include "solver/grid.h"
#include "solver/influence/influence_table.h"
#include "solver/material.h"

namespace slipfield {

struct BatchFamily {
  int mx = 1;
  int my = 1;
  double aspect = 1.0;  // dy/dx
  double poisson_ratio = 0.0;
  double offset_x = 0.0;  // dq (cos chi, sin chi)/dx of steady rolling, else 0
  double offset_y = 0.0;
};

// The operators of a family, in pure numbers: dx = 1, G = 1 (THEORY.md 6.8).
inline Grid unit_grid(const BatchFamily& family) {
  return {family.mx, family.my, 1.0, family.aspect, 0.0, 0.0};
}
inline CombinedMaterial unit_material(const BatchFamily& family) {
  return {1.0, family.poisson_ratio, 0.0};
}
inline bool rolls(const BatchFamily& family) {
  return family.offset_x != 0.0 || family.offset_y != 0.0;
}
inline InfluenceKind slip_kind(const BatchFamily& family) {
  if (!rolls(family)) return {};
  return {Displacement::change, family.offset_x, family.offset_y};
}

}  // namespace slipfield
