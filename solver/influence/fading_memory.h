// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of viscoelastic bodies in steady rolling: an elastic coefficient plus the
// fading memory along the path of the particles (THEORY.md 2.8).
#pragma once

#include <span>
#include <vector>

#include "solver/grid.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/influence/periodic_images.h"
#include "solver/material.h"
#include "solver/problem.h"

namespace slipfield {

// The added coefficient of one creep time: integral from 0 to infinity of exp(-q) A(r + q l) dq. A
// is that of the material (its compliance times the creep ratio); l, along x or y, points to where
// particles come from; l = 0: A itself.
struct MemoryTerm {
  CombinedMaterial material;
  double length_x = 0.0;  // V tau along the rolling direction [length]
  double length_y = 0.0;
  bool operator==(const MemoryTerm&) const = default;
};

// The memory of two bodies in the steady rolling of `tangential`, one term per creep time; empty if
// both are elastic or nothing rolls.
std::vector<MemoryTerm> memory_of(const ElasticBody& upper, const ElasticBody& lower,
                                  const Tangential& tangential);

// The same terms with their creep times in place of lengths.
struct CreepOfBodies {
  CombinedMaterial material;
  double time = 0.0;  // 0: creeps at once
};
std::vector<CreepOfBodies> creep_of(const ElasticBody& upper, const ElasticBody& lower);

// Whether pressure and tangential displacements affect each other: K != 0, or the bodies have
// unlike layers or creep differently.
bool couples(const ElasticBody& upper, const ElasticBody& lower);
// The same, also true for curved surfaces.
inline bool couples(const ContactProblem& problem) {
  return problem.influence.exists() || couples(problem.upper, problem.lower);
}

// The material combined with the terms that creep without delay (length 0): compliances add up.
CombinedMaterial softened(const CombinedMaterial& material, const std::vector<MemoryTerm>& memory);

// The added coefficient of one term at (x, y) [length^3/force], to about 1e-11 of its size; on a
// grid that is periodic in one direction including all images.
double memory_coefficient(Component component, double x, double y, const Grid& grid,
                          const MemoryTerm& term);

// Weights of the added coefficient in a table: `here` at an offset plus `ahead` at a position
// `step` farther along the rolling direction, or behind if negative; elements include their images
// across it.
struct MemoryShares {
  double here = 1.0;
  double ahead = 0.0;
  double step = 0.0;  // [length]
  PeriodicImages images = {};
};

// sum[(iy + my - 1) (2 mx - 1) + ix + mx - 1] += the weighted coefficient at (ix dx, iy dy), for
// |ix| < mx and |iy| < my. A line along the rolling direction takes one integral, and from there
// backwards one per element.
void add_memory(Component component, const Grid& grid, const MemoryTerm& term,
                const MemoryShares& shares, std::span<double> sum);

}  // namespace slipfield
