// SPDX-License-Identifier: Apache-2.0
// Solves and counts the steps of a case, each one contact or a wheelset with several: the base of
// command line runs, sweeps and the libraries.
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

// The wheels' place and results.
struct WheelsetOfStep {
  WheelsetStep task;
  SolvedWheelset solved;
};

struct StepRecord {
  int number = 0;                              // from 1
  StepInput input;                             // of one contact
  StepReport report;                           // for a wheelset only outcome and message
  std::shared_ptr<WheelsetOfStep> wheelset{};  // null: one contact, or its fields were dropped
  std::shared_ptr<const WheelRecord> wheel{};  // of a wheelset that is written
  // Unique in this process. id_before: that of the step this one continued from; 0 if none.
  std::uint64_t id = 0;
  std::uint64_t id_before = 0;
};

// Fills in `wheel` of a wheelset's step, with these warnings.
void add_numbers(StepRecord& step, std::vector<std::string> warnings);
// Drops everything but the step's numbers.
void drop_fields(StepRecord& step);
// Returns the table rows of a step that has its numbers.
StepRows rows_of_step(const StepRecord& step);

struct CaseOfState;  // app/library/case_of_state.h
class RunWarnings;   // app/report/run_warnings.h

// Everything that a step leaves to the next, with its report.
struct SavedSteps {
  Grid grid;  // of one contact
  bool wheel = false;
  std::optional<StepRecord> last{};  // empty: no step has run
  SolverState state{};
  std::shared_ptr<const CaseOfState> of{};        // null: not compared
  std::shared_ptr<const RunWarnings> warnings{};  // of the steps so far; null: not kept
};

class StepSession {
 public:
  // Arguments as for make_solver; the case must outlive the session. `progress`: see WheelSteps.
  StepSession(const SettledBackend& backend, const CaseFile& file, ProgressCallback progress);

  // Like ContactSolver::advance, or solve_wheelset for a wheelset; the task must be of the case's
  // kind. If an exception interrupts a step of one contact, only restore() makes the state usable
  // again and other calls throw Error. After InputError the state is unchanged, and for a wheelset
  // always.
  const StepRecord& advance(const StepTask& task);
  // Solves a wheelset in place of the next step without advancing. grid: 0, or 1, 2, ... for
  // elements longer by a tenth of the case's each; only for a step that does not continue another.
  [[nodiscard]] SolvedWheelset try_out(const WheelsetStep& step, std::size_t grid = 0);

  [[nodiscard]] int steps_done() const { return last_ ? last_->number : 0; }
  [[nodiscard]] const std::optional<StepRecord>& last() const { return last_; }

  // --- Only for one contact.
  [[nodiscard]] const ContactSolver& solver() const { return *solver_; }
  // The fields of the last step, including the surface fields that the problem requests.
  [[nodiscard]] ContactSolution solution();
  // Like solution(), but only the chosen fields; others may stay empty. For grids so large that not
  // all fields should be in memory at once.
  [[nodiscard]] ContactSolution solution(const ChosenFields& chosen);

  // Warnings about the last step (app/report/step_warnings.h).
  [[nodiscard]] std::vector<std::string> warnings() const;

  [[nodiscard]] SavedSteps save() const;
  // Like ContactSolver::restore; returns to the beginning if no step had run. Throws InputError for
  // a state of another grid, lattice, profile or kind of case, and for a damaged one; of one
  // contact the state is then unchanged.
  void restore(const SavedSteps& saved);
  // Frees the memory of a contact's solver: like a step that is broken off, and no step done.
  void release();
  [[nodiscard]] bool is_broken_off() const { return broken_off_; }

 private:
  [[nodiscard]] StepRecord next_record() const;
  void advance_contact(const StepInput& input);
  void advance_wheelset(const WheelsetStep& step);
  void restore_wheel(const SavedSteps& saved);
  void restore_contact(const SavedSteps& saved);
  void make_solver_again();

  SettledBackend backend_;
  const ContactProblem* problem_;
  ProgressCallback progress_;
  std::unique_ptr<ContactSolver> solver_;  // null for a wheelset
  std::optional<WheelSteps> wheel_;
  std::vector<WheelSteps> other_grids_;  // made when they are needed
  std::optional<StepRecord> last_;
  std::optional<ContactSolution> with_surfaces_;  // made for the last step's numbers, until taken
  bool broken_off_ = false;
};

}  // namespace slipfield
