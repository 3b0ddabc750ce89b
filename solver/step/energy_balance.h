// SPDX-License-Identifier: Apache-2.0
// What the forces say about the energy that slip dissipates (THEORY.md 11.3, 11.7). The sum over
// the elements' slip converges to the same more slowly.
#pragma once

#include <optional>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// Work of the forces on the creepages in a step of steady rolling [energy].
inline double work_of_forces(const StepReport& report, double rolling_step) {
  return rolling_step * (report.force_x * report.rigid_x + report.force_y * report.rigid_y +
                         report.moment_z * report.rotation);
}

// The energy that slip, and a layer that yields, dissipate per rolling distance [force]: T-gamma
// less what the tractions give to bodies that creep, or to the pressure between unlike ones
// (THEORY.md 11.7). t_gamma: minus the work of the forces on the creepages per rolling distance,
// less what is stored [force]. rolling_step: of the report's friction_work, the sum over the
// elements' slip.
//
// Nothing where that is unknown, rolling oblique to the elements, and where it has no digits left:
// where such bodies nearly adhere, T-gamma and the other term cancel except for errors. The
// elements' slip, which converges to the same, is then less than a twentieth of it, and what the
// tractions give to the bodies is more.
std::optional<double> dissipated_by_slip(const ContactProblem& problem, const StepReport& report,
                                         double t_gamma, double rolling_step);

}  // namespace slipfield
