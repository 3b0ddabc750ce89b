// SPDX-License-Identifier: Apache-2.0
#include "solver/step/energy_balance.h"

#include <cmath>

#include "solver/influence/fading_memory.h"

namespace slipfield {

std::optional<double> dissipated_by_slip(const ContactProblem& problem, const StepReport& report,
                                         double t_gamma, double rolling_step) {
  constexpr double kSeen = 0.05;  // of what is dissipated, by the elements' slip
  if (is_simplified(problem.solver.tangential)) return t_gamma;
  if (!couples(problem) && !creeps(problem)) return t_gamma;
  // Without friction, given_to_bodies is per unit of its coefficient.
  if (report.elements_slip > 0 && report.friction_work == 0.0 && t_gamma == 0.0) return 0.0;
  if (!report.given_to_bodies) return std::nullopt;
  const double dissipated = t_gamma - *report.given_to_bodies;
  const double by_elements = -report.friction_work / rolling_step;
  const bool has_digits =
      by_elements > kSeen * dissipated || std::abs(*report.given_to_bodies) <= dissipated;
  return has_digits ? std::optional(dissipated) : std::nullopt;
}

}  // namespace slipfield
