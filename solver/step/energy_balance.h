// SPDX-License-Identifier: Apache-2.0
// What the forces say about the energy that slip dissipates (THEORY.md 11.3, 11.7). The sum over
// the elements' slip converges to the same more slowly.
#pragma once

#include <optional>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// Whether in steady rolling the friction work equals the work of the forces on the creepages: the
// bodies are elastic, and pressure and tractions do not act on each other (K = 0, equal layers).
bool conserves_energy(const ContactProblem& problem);

// Work of the forces on the creepages in a step of steady rolling [energy].
inline double work_of_forces(const StepReport& report, double rolling_step) {
  return rolling_step * (report.force_x * report.rigid_x + report.force_y * report.rigid_y +
                         report.moment_z * report.rotation);
}

// The energy that slip, and a layer that yields, dissipate per rolling distance [force]: T-gamma,
// and where pressure and tractions act on each other the rolling resistance, which the pressure
// passes on to the slip. Nothing where that is unknown: in viscoelastic bodies, which dissipate
// too, and in transient rolling of unlike ones. t_gamma: minus the work of the forces on the
// creepages per rolling distance [force].
std::optional<double> dissipated_by_friction(const ContactProblem& problem,
                                             const StepReport& report, double t_gamma);

}  // namespace slipfield
