// SPDX-License-Identifier: Apache-2.0
// The surfaces after a step: fields and numbers of wear, damage and heat, as the problem asks.
#pragma once

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

struct SurfaceTemperatures;  // solver/surface/heat.h

// Adds to the solution and to the report of a step (solution.h) what problem.surface asks for; the
// step is one of the problem's, without faults. Leaves everything else as it is.
void add_surface(const ContactProblem& problem, const StepInput& step, ContactSolution& solution,
                 StepReport& report);

// The fields alone, of a solution that lacks them.
void add_surface_fields(const ContactProblem& problem, const StepInput& step,
                        ContactSolution& solution);

// A step's temperatures alone; problem.surface.heat is there.
SurfaceTemperatures step_temperatures(const ContactProblem& problem, const StepInput& step,
                                      const ContactSolution& solution);

}  // namespace slipfield
