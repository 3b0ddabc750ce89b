// SPDX-License-Identifier: Apache-2.0
// Solves the steps of a wheel on a rail. A step of transient rolling continues from the contacts of
// the previous step; all others are independent.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/run/solver_factory.h"
#include "io/case/reader.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

class WheelSteps {
 public:
  // For a case with `wheel_rail`.
  WheelSteps(const SettledBackend& backend, const CaseFile& file);

  // Continues from the state of the last keep(). `progress`: called in each iteration, and with
  // iteration 0 before each contact; may throw.
  SolvedWheelset solve(const WheelsetStep& step, const ProgressCallback& progress);

  // Returns the same wheels with elements longer by this factor; only before the first step.
  [[nodiscard]] WheelSteps on_elements_longer_by(double factor) const;

  // Accepts the step, so that the next one continues from it. Moves the contacts' states out of
  // `solved`.
  void keep(const WheelsetStep& step, SolvedWheelset& solved);

  // The state that the contacts left, with their lattice; empty if no step is transient rolling.
  [[nodiscard]] SolverState state() const;
  // Restores the state after a step; if `step` is null, after step `number` of the case. Throws
  // InputError for a state of another lattice or other profiles and then changes nothing.
  void restore(const SolverState& state, const WheelsetStep* step, int number);
  // Returns to before the first step.
  void begin();

 private:
  struct Law {
    Friction friction;
    bool by_inclination = false;
    bool operator==(const Law&) const = default;
  };
  static Law law_of(const WheelsetStep& step);
  [[nodiscard]] std::vector<double> lattice() const;
  void require_same_lattice(const SolverState& state) const;

  SettledBackend backend_;
  ContactProblem bodies_;
  SideSearches searches_;
  std::shared_ptr<const WheelRailCase> case_;
  std::optional<Law> law_;                                      // of the last step
  std::array<std::shared_ptr<const CarriedContacts>, 2> left_;  // by the left and the right wheel
};

}  // namespace slipfield
