// SPDX-License-Identifier: Apache-2.0
// Fields and numbers of wear, damage and heat at the surfaces after a step, as requested.
#pragma once

#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

struct SurfaceTemperatures;  // solver/surface/heat.h

// Adds to the solution and report of a step (solution.h) what problem.surface requests; the step
// must be a faultless step of the problem. Keeps everything else, including temperatures that the
// solution already has (warm_friction.h).
void add_surface(const ContactProblem& problem, const StepInput& step, ContactSolution& solution,
                 StepReport& report);

// Adds only the fields, to a solution without them. report: that of the step, with its surface
// numbers.
void add_surface_fields(const ContactProblem& problem, const StepInput& step,
                        const StepReport& report, ContactSolution& solution);

// Adds the temperatures of a solved step and their numbers.
void add_temperatures(SurfaceTemperatures found, double peclet_number, ContactSolution& solution,
                      SurfaceNumbers& numbers);

// A contact as the shakedown map sees it (THEORY.md 14.4): the material passes along the rolling
// direction or along the shift, and along x where nothing moves.
struct PassedContact {
  // One row or column of elements, or a contact that fills the period along it and not across it,
  // or fills both with a pressure that varies across it only.
  bool line = false;
  // Across the passage over along it. A line across it has infinity, one along it 0; also 0 without
  // contact.
  double width_over_length = 0.0;
  bool nearer_to_y = false;  // the passage
};
PassedContact passed_contact(const Grid& grid, const Tangential& step, const StepReport& report,
                             const ContactSolution& solution);

// The surface fatigue index row by row, treating each row of elements as a line contact: tangential
// over normal force - k/p_0, p_0 by the moments of the row's pressure; NaN in rows without contact.
// k is that of the index in report.surface; empty if that has none, and where the passage is nearer
// to y.
std::vector<double> surface_fatigue_along_y(const Grid& grid, const Tangential& step,
                                            const ContactSolution& solution,
                                            const StepReport& report);

// Power per area that becomes heat [power/area]: all of the friction work or, where the layer
// yields, a share. problem.surface.heat must be set; report: with the motion and, to second order,
// the forces.
std::vector<double> heating_power(const ContactProblem& problem, const StepInput& step,
                                  const StepReport& report, const ContactSolution& solution);

// The temperatures of a step of steady rolling; same requirements.
SurfaceTemperatures step_temperatures(const ContactProblem& problem, const StepInput& step,
                                      const StepReport& report, const ContactSolution& solution);

}  // namespace slipfield
