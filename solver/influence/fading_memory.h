// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of viscoelastic bodies in steady rolling: an elastic coefficient, and the
// fading memory of those along the way that the particles came (THEORY.md 2.8).
#pragma once

#include <span>
#include <vector>

#include "solver/grid.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/influence/periodic_images.h"
#include "solver/material.h"
#include "solver/problem.h"

namespace slipfield {

// The added coefficient of one creep time: integral from 0 to infinity of exp(-q) A(r + q l) dq, A
// of the material (its compliance times the creep ratio), l along x or y and towards where
// particles come from; l = 0: A itself.
struct MemoryTerm {
  CombinedMaterial material;
  double length_x = 0.0;  // V tau along the rolling direction [length]
  double length_y = 0.0;
  bool operator==(const MemoryTerm&) const = default;
};

// The memory of two bodies that roll steadily as `tangential` says, one term for each creep time;
// empty where both are elastic, or nothing rolls.
std::vector<MemoryTerm> memory_of(const ElasticBody& upper, const ElasticBody& lower,
                                  const Tangential& tangential);

// The same terms with their creep times in place of lengths.
struct CreepOfBodies {
  CombinedMaterial material;
  double time = 0.0;  // 0: creeps at once
};
std::vector<CreepOfBodies> creep_of(const ElasticBody& upper, const ElasticBody& lower);

// Pressure and tangential displacements act on each other: K != 0, or the bodies creep unlike.
bool couples(const ElasticBody& upper, const ElasticBody& lower);
// The same, or their surfaces are curved.
inline bool couples(const ContactProblem& problem) {
  return problem.influence.exists() || couples(problem.upper, problem.lower);
}

// The material and what creeps at once, terms without a length: their compliances add up.
CombinedMaterial softened(const CombinedMaterial& material, const std::vector<MemoryTerm>& memory);

// The images whose memory is that of a term: what is remembered of a load far away displaces
// nothing.
PeriodicImages images_of_memory(PeriodicImages images, const MemoryTerm& term);

// The added coefficient of one term at (x, y) [length^3/force], to some 1e-11 of its size; of a
// grid that is periodic in one direction with all images.
double memory_coefficient(Component component, double x, double y, const Grid& grid,
                          const MemoryTerm& term);

// What of the added coefficient goes into a table: `here` times that at an offset, `ahead` times
// that `step` farther along the rolling direction; of each element with its images across it.
struct MemoryShares {
  double here = 1.0;
  double ahead = 0.0;
  double step = 0.0;  // [length]
  PeriodicImages images = {};
};

// sum[(iy + my - 1) (2 mx - 1) + ix + mx - 1] += the shares at (ix dx, iy dy), |ix| < mx and
// |iy| < my. A line of places along the rolling direction takes one integral, and from there back
// those of single elements.
void add_memory(Component component, const Grid& grid, const MemoryTerm& term,
                const MemoryShares& shares, std::span<double> sum);

}  // namespace slipfield
