// SPDX-License-Identifier: Apache-2.0
// The surfaces after a step: fields and numbers of wear, damage and heat, as the problem asks.
#pragma once

#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

struct SurfaceTemperatures;  // solver/surface/heat.h

// Adds to the solution and to the report of a step (solution.h) what problem.surface asks for; the
// step is one of the problem's, without faults. Leaves everything else as it is, temperatures too
// where the solution has them already (warm_friction.h).
void add_surface(const ContactProblem& problem, const StepInput& step, ContactSolution& solution,
                 StepReport& report);

// Adds only the fields, to a solution without them. report: of the step, with its surface numbers.
void add_surface_fields(const ContactProblem& problem, const StepInput& step,
                        const StepReport& report, ContactSolution& solution);

// Adds the temperatures of a solved step and their numbers.
void add_temperatures(SurfaceTemperatures found, double peclet_number, ContactSolution& solution,
                      SurfaceNumbers& numbers);

// Width (along y) over length (along x) of the elements in contact; 0 for one row, or without
// contact.
double width_over_length(const Grid& grid, const std::vector<ElementState>& division);

// The surface fatigue index row by row, each row of elements taken as a line contact: its
// tangential over its normal force - k/p_0, p_0 its mean pressure times 4/pi; NaN in rows that do
// not touch. k is the one that report.surface has its index of. Empty where that has none.
std::vector<double> surface_fatigue_along_y(const Grid& grid, const ContactSolution& solution,
                                            const StepReport& report);

// Power per area that becomes heat: that of the friction, of elements whose layer yields a share.
// problem.surface.heat is there; report: with the motion and, to second order, the forces.
std::vector<double> heating_power(const ContactProblem& problem, const StepInput& step,
                                  const StepReport& report, const ContactSolution& solution);

// The temperatures of steady rolling alone, likewise.
SurfaceTemperatures step_temperatures(const ContactProblem& problem, const StepInput& step,
                                      const StepReport& report, const ContactSolution& solution);

}  // namespace slipfield
