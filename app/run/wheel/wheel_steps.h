// SPDX-License-Identifier: Apache-2.0
// Solves the steps of a wheel on a rail. A step of transient rolling continues from the contacts
// that the one before left; all others are solved by themselves.
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

  // From what the last keep() has taken. `progress`: of each iteration, and with iteration 0 before
  // each contact; may throw.
  SolvedWheelset solve(const WheelsetStep& step, const ProgressCallback& progress);

  // The same wheels with elements longer by this factor, before the first step.
  [[nodiscard]] WheelSteps on_elements_longer_by(double factor) const;

  // Accepts the step: the next one continues from it. Moves the contacts' states out of `solved`.
  void keep(const WheelsetStep& step, SolvedWheelset& solved);

  // What the contacts left, with their lattice; empty where no step is one of transient rolling.
  [[nodiscard]] SolverState state() const;
  // From the state after a step, whose number counts where `step` is null: it is then the case's.
  // InputError for the state of another lattice or other profiles; nothing changes then.
  void restore(const SolverState& state, const WheelsetStep* step, int number);
  // To before the first step.
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
