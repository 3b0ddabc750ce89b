// SPDX-License-Identifier: Apache-2.0
// A case and its steps, counted: what every run conducts, of the command line, of a sweep and of
// the libraries, whether a step is one contact or a wheelset with several.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/solver_factory.h"
#include "app/run/wheel/wheel_steps.h"
#include "io/case/step_task.h"
#include "io/result/sweep_table.h"
#include "io/result/wheel/table.h"
#include "solver/contact_solver.h"

namespace slipfield {

// Where the wheels were, and what was found.
struct WheelsetOfStep {
  WheelsetStep task;
  SolvedWheelset solved;
};

struct StepRecord {
  int number = 0;                              // from 1
  StepInput input;                             // of one contact
  StepReport report;                           // of a wheelset outcome and message alone
  std::shared_ptr<WheelsetOfStep> wheelset{};  // null: of one contact, or its fields are gone
  std::shared_ptr<const WheelRecord> wheel{};  // of a wheelset that is written
  // Unique in this process. id_before: of the step that this one continued from, 0 without one.
  std::uint64_t id = 0;
  std::uint64_t id_before = 0;
};

// Makes `wheel` of a step of a wheelset, with these warnings.
void add_numbers(StepRecord& step, std::vector<std::string> warnings);
// Lets go of all but the step's numbers.
void drop_fields(StepRecord& step);
// The rows of the table for a step that has its numbers.
StepRows rows_of_step(const StepRecord& step);

// Everything that a step leaves to the next, and what it reported.
struct SavedSteps {
  Grid grid;  // of one contact
  bool wheel = false;
  std::optional<StepRecord> last{};  // nothing: no step has run
  SolverState state{};
};

class StepSession {
 public:
  // As make_solver. The case outlives the session. `progress`: as WheelSteps has it.
  StepSession(const SettledBackend& backend, const CaseFile& file, ProgressCallback progress);

  // As ContactSolver::advance, or of a wheelset as solve_wheelset; the task is of the case's kind.
  // A step of one contact that breaks off by an exception leaves a state that only restore() mends;
  // Error until then. A step refused by InputError leaves it as it was, and so does a wheelset's.
  const StepRecord& advance(const StepTask& task);
  // A step of a wheelset that does not count, in the place of the next one. grid: 0, or 1, 2, ...
  // for elements longer by a tenth of the case's each time, of a step that continues none.
  [[nodiscard]] SolvedWheelset try_out(const WheelsetStep& step, std::size_t grid = 0);

  [[nodiscard]] int steps_done() const { return last_ ? last_->number : 0; }
  [[nodiscard]] const std::optional<StepRecord>& last() const { return last_; }

  // --- Of one contact.
  [[nodiscard]] const ContactSolver& solver() const { return *solver_; }
  // The fields of the last step, with those of the surfaces that the problem asks for.
  [[nodiscard]] ContactSolution solution();
  // As solution(), of the chosen fields; others may stay empty. For a grid so large that not all
  // fields are to be in memory at once.
  [[nodiscard]] ContactSolution solution(const ChosenFields& chosen);

  // What is suspicious in the last step (app/report/step_warnings.h, wheel_warnings.h).
  [[nodiscard]] std::vector<std::string> warnings() const;

  [[nodiscard]] SavedSteps save() const;
  // As ContactSolver::restore; back to the beginning where no step had run. Throws InputError for a
  // state of another grid or lattice, of other profiles, or of another kind of case.
  void restore(const SavedSteps& saved);

 private:
  [[nodiscard]] StepRecord next_record() const;
  void advance_contact(const StepInput& input);
  void advance_wheelset(const WheelsetStep& step);
  void restore_wheel(const SavedSteps& saved);

  SettledBackend backend_;
  const ContactProblem* problem_;
  ProgressCallback progress_;
  std::unique_ptr<ContactSolver> solver_;  // null: of a wheelset
  std::optional<WheelSteps> wheel_;
  std::vector<WheelSteps> other_grids_;  // made when they are needed
  std::optional<StepRecord> last_;
  std::optional<ContactSolution> with_surfaces_;  // made for the last step's numbers, until taken
  bool broken_off_ = false;
};

}  // namespace slipfield
