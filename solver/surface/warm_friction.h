// SPDX-License-Identifier: Apache-2.0
// Steps with the heat of their surfaces: temperatures that are carried from step to step, and
// friction that depends on them, which the rounds of a step follow (THEORY.md 15.4, 15.6).
#pragma once

#include <functional>
#include <memory>

#include "solver/contact_solver.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// The motion whose friction carries a prescribed force or moment that only warm surfaces carry
// (THEORY.md 15.4).

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

// report: of the step, which did not converge, with the forces prescribed; then of the motion
// found. It stays as it is where the step prescribes nothing that its coefficients do not carry;
// where no motion is found, its message says so.
void seek_warm_motion(const WarmSearch& search, StepReport& report);

// A solver whose solutions have the temperatures, its reports and its state what is known of the
// heat, around one that asks it for coefficients of FrictionByTemperature. The solver itself where
// the problem computes no heat.
std::unique_ptr<ContactSolver> warm_friction_solver(const ContactProblem& problem,
                                                    std::unique_ptr<ContactSolver> solver);

}  // namespace slipfield
