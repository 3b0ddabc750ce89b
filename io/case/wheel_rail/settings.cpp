// SPDX-License-Identifier: Apache-2.0
#include "io/case/wheel_rail/settings.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "io/case/check/faults.h"

namespace slipfield {

// Contacts on curved surfaces have coefficients of their own, which not all goes with.
std::vector<ConformalConflict> conformal_conflicts(const CaseSection& root,
                                                   const ContactProblem& problem) {
  std::vector<ConformalConflict> conflicts;
  const SolverSettings& solver = problem.solver;
  if ((solver.tangential != TangentialMethod::automatic &&
       solver.tangential != TangentialMethod::newton) ||
      (solver.normal != NormalMethod::automatic && solver.normal != NormalMethod::newton) ||
      solver.rolling == RollingScheme::second_order ||
      solver.influence == InfluenceMethod::summation)
    conflicts.push_back(
        {"solver", "whose contacts newton solves, by first_order and without tiled sums",
         "normal and tangential: auto or newton, influence: auto or fft, or contact_surface: "
         "planar"});
  if (root.has("interior"))
    conflicts.push_back({"interior", "and stresses inside are those of half-spaces",
                         "no interior, or contact_surface: planar"});
  if (root.has("wear"))
    conflicts.push_back({"wear", "and worn profiles are those of planar contacts",
                         "no wear, or contact_surface: planar"});
  if (problem.sensitivities)
    conflicts.push_back({"output", "and sensitivities are those of half-spaces",
                         "no sensitivities, or contact_surface: planar"});
  return conflicts;
}

void check_conformal_settings(CaseSection& root, const WheelRailCase& wheel_rail,
                              const ContactProblem& problem) {
  if (!wheel_rail.patches.conformal) return;
  for (const ConformalConflict& conflict : conformal_conflicts(root, problem))
    root.error_at_key(conflict.key,
                      fmt::format("given together with 'wheel_rail.contact_surface: conformal', {}",
                                  conflict.why),
                      conflict.accepted);
}

void check_wheel_settings(CaseSection& root, const ContactProblem& problem) {
  if (problem.units != Units::n_mm_s)
    root.error_at_value("units", "a case with 'wheel_rail' is in mm", "N-mm-s");
  const SolverSettings& solver = problem.solver;
  if (is_simplified(solver.tangential) &&
      (solver.normal == NormalMethod::automatic || solver.normal == NormalMethod::sdec))
    root.error_at_key("solver",
                      "the contacts of 'wheel_rail' are not ellipses, which fastsim and fastrip "
                      "with this 'normal' need",
                      "tangential: fastsim or fastrip with normal: kpec, analyn or bound_cg and no "
                      "influence, or tangential: auto, newton, gauss_seidel or direct");
  if (root.diagnostics().empty()) report_wheel_problem(root, problem);
}

}  // namespace slipfield
