// SPDX-License-Identifier: Apache-2.0
#include "solver/step/energy_balance.h"

#include <cmath>

#include "solver/influence/fading_memory.h"

namespace slipfield {

std::optional<double> dissipated_by_friction(const ContactProblem& problem,
                                             const StepReport& report, double t_gamma) {
  if (is_simplified(problem.solver.tangential)) return t_gamma;
  if (!couples(problem) && !creeps(problem)) return t_gamma;
  if (!report.given_to_bodies) return std::nullopt;
  return t_gamma - *report.given_to_bodies;
}

bool is_measure_of_slip(double dissipated, const StepReport& report, double of_elements) {
  constexpr double kSeen = 0.05;  // of what is dissipated: the elements' slip
  return of_elements > kSeen * dissipated ||
         std::abs(report.given_to_bodies.value_or(0.0)) <= dissipated;
}

}  // namespace slipfield
