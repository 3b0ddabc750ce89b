// SPDX-License-Identifier: Apache-2.0
#include "solver/step/energy_balance.h"

#include "solver/influence/fading_memory.h"

namespace slipfield {

bool conserves_energy(const ContactProblem& problem) {
  return !couples(problem) && !creeps(problem) && !problem.layer.yields();
}

std::optional<double> dissipated_by_friction(const ContactProblem& problem,
                                             const StepReport& report, double t_gamma) {
  if (is_simplified(problem.solver.tangential)) return t_gamma;
  if (creeps(problem)) return std::nullopt;
  if (!couples(problem)) return t_gamma;
  if (!report.surface.rolling_resistance) return std::nullopt;
  return t_gamma + *report.surface.rolling_resistance;
}

}  // namespace slipfield
