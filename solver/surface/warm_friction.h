// SPDX-License-Identifier: Apache-2.0
// Steps with surface heat: temperatures carried from step to step, and friction that depends on
// them and that the rounds of a step follow (THEORY.md 15.4, 15.6).
#pragma once

#include <functional>
#include <memory>

#include "solver/contact_solver.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// The motion for a prescribed force or moment that friction carries only at warm surfaces
// (THEORY.md 15.4).

// The prescribed loads as parts of what the present coefficients carry, and, in the same unit, the
// most that friction carries at any temperature.
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
  double enough;                       // accepted error of the force
  std::function<WarmDemand()> demand;  // with the coefficients of the last solution
  // solves a step, fills the report and returns whether it converged
  std::function<bool(const StepInput&)> solve;
};

// report: in, that of the step, which did not converge, with the prescribed forces; out, that of
// the motion found. It is unchanged if the coefficients carry all that is prescribed; if no motion
// is found, its message says so.
void seek_warm_motion(const WarmSearch& search, StepReport& report);

// Wraps a solver so that it computes temperatures with its solutions, reports them and saves the
// heat in its state, and gives it the coefficients of FrictionByTemperature. Returns the solver
// itself if the problem computes no heat.
std::unique_ptr<ContactSolver> warm_friction_solver(const ContactProblem& problem,
                                                    std::unique_ptr<ContactSolver> solver);

}  // namespace slipfield
