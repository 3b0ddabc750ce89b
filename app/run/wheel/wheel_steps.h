// SPDX-License-Identifier: Apache-2.0
// Solves the steps of a wheel on a rail, each by itself: none leaves anything to the next.
#pragma once

#include "app/run/solver_factory.h"
#include "io/case/reader.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

class WheelSteps {
 public:
  // For a case with `wheel_rail`.
  WheelSteps(const SettledBackend& backend, const CaseFile& file);

  // `progress`: of each iteration, and with iteration 0 before each contact; may throw.
  SolvedWheelset solve(const WheelsetStep& step, const ProgressCallback& progress);

 private:
  SettledBackend backend_;
  ContactProblem bodies_;
  SideSearches searches_;
};

}  // namespace slipfield
