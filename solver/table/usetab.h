// SPDX-License-Identifier: Apache-2.0
// The table of Kalker's USETAB: 25 ratios, 16 x 16 x 32 scaled creepages, F_x, F_y, M_z.
//
// Knots, order and scale are those of CONTACT's program usetab_table.f90 (open source, 2023), from
// which they were read: a/b = i/7 for i = 1 to 7, then 200 down to 1; creepages i/7 for i = 0 to 7,
// then infinity and 7/i for i = 1 to 7; spin the same, then all negated. With G = F_n = mu = c = 1,
// xi = -3 x/C11, eta = -3 y/C22, phi = -s/C23 with Kalker's coefficients for nu = .28 (THEORY.md
// 10.2).
#pragma once

#include <vector>

#include "solver/table/creep_table.h"

namespace slipfield {

inline constexpr int kUsetabSteps = 7;

struct UsetabTable {
  int elements = 0;
  std::vector<double> ratios{};
  std::vector<double> creepages{};  // for x and y
  std::vector<double> spins{};
  std::vector<TableForce> forces{};  // spin fastest, then y, x, ratio
};

// Ignores patch, Poisson's ratio and knots of the request. every: compute only every n-th ratio,
// for a preview.
UsetabTable make_usetab(CreepTableRequest request, int every, const SolveBatch& solve);

}  // namespace slipfield
