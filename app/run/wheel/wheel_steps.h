// SPDX-License-Identifier: Apache-2.0
// Solves the steps of a wheel on a rail. A step of transient rolling continues from the contacts that
// the one before left; all others are solved by themselves.
#pragma once

#include <array>
#include <memory>

#include "app/run/solver_factory.h"
#include "io/case/reader.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

class WheelSteps {
 public:
  // For a case with `wheel_rail`.
  WheelSteps(const SettledBackend& backend, const CaseFile& file);

  // From what the last keep() has taken. `progress`: of each iteration, and with iteration 0 before
  // each contact; may throw.
  SolvedWheelset solve(const WheelsetStep& step, const ProgressCallback& progress);

  // The step counts: the next one continues from it.
  void keep(const SolvedWheelset& solved);

  // What the contacts left, empty where no step is one of transient rolling; and back.
  [[nodiscard]] SolverState state() const;
  void restore(const SolverState& state);

 private:
  SettledBackend backend_;
  ContactProblem bodies_;
  SideSearches searches_;
  std::array<std::shared_ptr<const CarriedContacts>, 2> left_;  // by the left and the right wheel
};

}  // namespace slipfield
