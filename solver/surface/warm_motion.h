// SPDX-License-Identifier: Apache-2.0
// The motion whose friction carries a prescribed force or moment that only warm surfaces carry
// (THEORY.md 15.4).
#pragma once

#include <functional>

#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// What a step prescribes, as parts of what its present coefficients carry, and the most that
// friction carries at any temperature, as such parts.
struct WarmDemand {
  double force = 0.0;
  double moment = 0.0;
  double most_force = 0.0;
  double most_moment = 0.0;
  double pressure = 0.0;  // the sum of the pressures
};

struct WarmSearch {
  const StepInput& step;
  const Grid& grid;
  double enough;                                // of the force: how far off it may be
  std::function<WarmDemand()> demand;           // with the coefficients of the last solution
  std::function<bool(const StepInput&)> solve;  // whether it converged; fills the report
};

// report: of the step, which did not converge, with the forces prescribed; then of the motion found.
// It stays as it is where the step prescribes nothing that its coefficients do not carry; where no
// motion is found, its message says so.
void seek_warm_motion(const WarmSearch& search, StepReport& report);

}  // namespace slipfield
