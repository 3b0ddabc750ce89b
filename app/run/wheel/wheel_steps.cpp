// SPDX-License-Identifier: Apache-2.0
#include "app/run/wheel/wheel_steps.h"

namespace slipfield {

WheelSteps::WheelSteps(const SettledBackend& backend, const CaseFile& file)
    : backend_(backend), bodies_(file.problem), searches_(file.wheel_rail->searches) {
  bodies_.steps.clear();
  // For contacts of a few thousand elements FFTs take less time than the sums that the CPU would
  // choose.
  SolverSettings& solver = bodies_.solver;
  if (backend.choice == BackendChoice::cpu && !is_simplified(solver.tangential) &&
      solver.influence == InfluenceMethod::automatic)
    solver.influence = InfluenceMethod::fft;
}

SolvedWheelset WheelSteps::solve(const WheelsetStep& step, const ProgressCallback& progress) {
  return solve_wheelset(searches_.of(step), bodies_, step, [&](const ContactProblem& problem) {
    if (progress) progress({});
    return make_solver(backend_, problem, progress);
  });
}

}  // namespace slipfield
