// SPDX-License-Identifier: Apache-2.0
// A solver and its steps, counted: what every run conducts, of the command line, of a sweep and of
// the library.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/solver_factory.h"
#include "solver/contact_solver.h"

namespace slipfield {

struct StepRecord {
  int number = 0;  // from 1
  StepInput input;
  StepReport report;
};

// Everything that a step leaves to the next, and what it reported.
struct SavedSteps {
  Grid grid;
  std::optional<StepRecord> last{};  // nothing: no step has run
  SolverState state{};
};

class StepSession {
 public:
  // As make_solver. The problem outlives the session.
  StepSession(const SettledBackend& backend, const ContactProblem& problem,
              ProgressCallback progress);

  // As ContactSolver::advance. A step that breaks off by an exception leaves a state that only
  // restore() mends; Error until then. A step refused by InputError leaves it as it was.
  const StepRecord& advance(const StepInput& input);

  [[nodiscard]] int steps_done() const { return last_ ? last_->number : 0; }
  [[nodiscard]] const std::optional<StepRecord>& last() const { return last_; }
  [[nodiscard]] const ContactSolver& solver() const { return *solver_; }
  // The fields of the last step, with those of the surfaces that the problem asks for.
  [[nodiscard]] ContactSolution solution();
  // As solution(), of the chosen fields; others may stay empty. For a grid so large that not all
  // fields are to be in memory at once.
  [[nodiscard]] ContactSolution solution(const ChosenFields& chosen);
  // What is suspicious in the last step (app/report/step_warnings.h).
  [[nodiscard]] std::vector<std::string> warnings() const;

  [[nodiscard]] SavedSteps save() const;
  // As ContactSolver::restore; back to the beginning where no step had run. Throws InputError for a
  // state of another grid.
  void restore(const SavedSteps& saved);

 private:
  SettledBackend backend_;
  const ContactProblem* problem_;
  ProgressCallback progress_;
  std::unique_ptr<ContactSolver> solver_;
  std::optional<StepRecord> last_;
  std::optional<ContactSolution> with_surfaces_;  // made for the last step's numbers, until taken
  bool broken_off_ = false;
};

}  // namespace slipfield
