// SPDX-License-Identifier: Apache-2.0
// A case solved from a program, step by step: what the C and the Python library are made of.
//
// Speaks to nobody: no output, no file but those that it is asked for, errors as exceptions. One
// thread at a time uses one of them; different ones do not know of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/library/recording.h"
#include "app/library/result_parts.h"
#include "app/run/step_session.h"
#include "io/case/change/open_case.h"
#include "io/output_rule.h"
#include "solver/gradient/step_systems.h"

namespace slipfield {

// Thrown where the caller cancels a solution.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

struct NamedArray {
  std::string name;  // the case says `file: array:NAME`
  std::shared_ptr<const Heights> values;
};

struct CaseSolverOptions {
  BackendRequest backend;
  int threads = 0;               // of the CPU; 0: as OpenMP has it
  std::filesystem::path folder;  // files that a text names are relative to it; empty: the current
  std::vector<NamedArray> arrays;
  // Called in each iteration from the thread that solves; false cancels.
  std::function<bool(int step, const Progress&)> progress;
  bool rewind =
      false;  // each step begins with a copy of the state, to which a cancelled one returns
};

class StepGradient;
struct KeptContact;  // batch_gradient.h

class CaseSolver {
 public:
  // Throw CaseError, InputError, Error.
  static std::unique_ptr<CaseSolver> from_file(const std::filesystem::path& path,
                                               CaseSolverOptions options);
  static std::unique_ptr<CaseSolver> from_text(const std::string& yaml, CaseSolverOptions options);

  // diagnostics: what was found wrong with the text so far.
  CaseSolver(std::unique_ptr<CaseText> text, CaseDiagnostics& diagnostics,
             CaseSolverOptions options);
  // Solves the case as another solver has it now, from its first step. The other solver outlives
  // this one.
  CaseSolver(const CaseSolver& other, CaseSolverOptions options);
  ~CaseSolver();
  CaseSolver(const CaseSolver&) = delete;
  CaseSolver& operator=(const CaseSolver&) = delete;

  // As OpenCase, of the step that comes next.
  void set(const std::vector<KeyValue>& changes);
  void set_array(const std::string& name, std::shared_ptr<const Heights> values);
  [[nodiscard]] std::string value(std::string_view key);
  // What was set so far, arrays apart; take_back() makes every set() since undone.
  [[nodiscard]] OpenCase::Values values() const { return case_->values(); }
  void take_back(const OpenCase::Values& values);

  // The next step. Not converging is in the report. After an exception the state is that of before
  // where the options say `rewind`, or where the input was refused; otherwise only restore() helps.
  const StepRecord& advance();
  [[nodiscard]] int steps_done() const { return session_ ? session_->steps_done() : 0; }
  [[nodiscard]] int steps_in_case() const { return case_->steps_in_case(); }
  [[nodiscard]] const ContactProblem& problem() const { return case_->problem(); }
  [[nodiscard]] const CaseFile& file() const { return case_->file(); }
  [[nodiscard]] bool is_wheel() const { return case_->is_wheel(); }
  // What the next step solves: the case's, and what was set over it.
  [[nodiscard]] const StepTask& next_step() { return step(steps_done() + 1); }
  [[nodiscard]] const StepTask& step(int number) { return case_->step(number); }

  // Results of the last step, or of a part of it; throw InputError before the first step, and for a
  // part that the step does not have.
  [[nodiscard]] const StepRecord& last() const;
  // As quantity() of field_table.h, and numbers_of() of step_parts.h.
  [[nodiscard]] std::vector<double> totals(const std::vector<std::string>& names,
                                           const ResultPart& part = {}) const;
  [[nodiscard]] int contacts(StepSide side = StepSide::whole) const;
  [[nodiscard]] const Grid& grid(const ResultPart& part = {}) const;  // of one contact at any time
  [[nodiscard]] const StepReport& report(const ResultPart& part = {}) const;
  [[nodiscard]] std::vector<double> centres(const ResultPart& part = {}) const;
  [[nodiscard]] const ContactSolution& solution(const ResultPart& part = {});  // copied once
  // field: any name of field_names(); element_division as numbers. values: one for each element.
  void field(std::string_view name, const ResultPart& part, std::span<double> values);
  // The same into memory of the GPU.
  void field_to_cuda(std::string_view name, const ResultPart& part, std::span<double> values);
  // ContactSolver::device_values by the field's name; null also on the CPU, and of a wheel.
  [[nodiscard]] const double* cuda_values(std::string_view name) const;
  // A wheel's step that does not count: the case's solver on another task. grid: as
  // StepSession::try_out.
  [[nodiscard]] SolvedWheelset try_out(const WheelsetStep& step, std::size_t grid = 0);
  // What is suspicious in the case, and in the last step, with that step's remark.
  [[nodiscard]] std::vector<std::string> warnings() const;
  [[nodiscard]] std::vector<std::string> warnings_of_step() const;  // none before the first
  // In the loads that were set for the last step.
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }
  // In what was set for the next step, the case's keys and loads, as far as `other` has not the
  // same.
  [[nodiscard]] std::vector<std::string> doubts_of_next(const CaseSolver& other);
  [[nodiscard]] std::string backend_name();
  // Where derivatives of a step are computed; those of a wheel's contacts, which are small, on the
  // CPU.
  [[nodiscard]] StepSystemsMaker step_systems() const;
  [[nodiscard]] std::string device_name();

  [[nodiscard]] SavedSteps save() const;
  void restore(const SavedSteps& saved);

  // The last step as a result file.
  void write(const std::filesystem::path& path, Overwrite overwrite);
  // For results that outlive the solver; one for all steps of the same case.
  [[nodiscard]] std::shared_ptr<const ResultOrigin> origin();
  // Derivatives of the last step, or of one contact of a wheel in it, made when first asked for.
  // Throws as StepGradient.
  [[nodiscard]] StepGradient& gradient(const ResultPart& part = {});
  // From the next step on the last `count` steps are kept, with all fields; going back drops them.
  void keep_steps(std::size_t count);
  [[nodiscard]] const std::deque<KeptStep>& kept_steps() const { return kept_; }
  // From now on every step goes into a result file, which end_recording() completes.
  void record(const std::filesystem::path& path, Overwrite overwrite);
  void end_recording();

  // The case as it is now: all steps of its sequence, values that were set in them.
  [[nodiscard]] std::string resolved();
  [[nodiscard]] const CaseSolverOptions& options() const { return options_; }

 private:
  void require_room(std::string_view name, const ResultPart& part, std::size_t count) const;
  [[nodiscard]] const SolvedPatch& patch(const ResultPart& part) const;
  void start();        // makes the solver where there is none
  void start_again();  // with another problem: from its beginning
  void forget_step();  // what was made of the last one
  void report_progress(const Progress& progress) const;

  CaseSolverOptions options_;
  std::unique_ptr<OpenCase> case_;
  std::optional<SettledBackend> backend_;
  std::optional<StepSession> session_;
  std::optional<ContactSolution> solution_;
  std::vector<std::string> doubts_;
  std::vector<std::string> lasting_doubts_;     // of the case's, those of the last step too
  std::shared_ptr<const ResultOrigin> origin_;  // null where the case has changed since
  std::optional<Recording> recording_;
  std::unique_ptr<StepGradient> gradient_;  // of the last step: of gradient_part_
  ResultPart gradient_part_;
  std::size_t keeps_ = 0;  // as many steps
  std::deque<KeptStep> kept_;
};

// n contacts of a case as it is now, each from the beginning through all of its steps.
struct BatchRequest {
  std::size_t count = 0;                                     // n
  std::function<std::vector<KeyValue>(std::size_t)> inputs;  // what a contact sets; by any thread
  std::function<std::vector<NamedArray>(std::size_t)>
      arrays;                        // tables that it replaces; may be empty
  std::vector<std::string> outputs;  // names of totals after the last step
  // Derivatives at the last step: of each of these numbers to each of those inputs, by the names of
  // StepGradient, of a wheel of WheelsetGradient, without points.
  std::vector<std::string> gradient_of;
  std::vector<std::string> gradient_to;
  // Keeps what BatchGradient needs of each contact: for cases of one step, without wheel_rail.
  bool keep = false;
};
struct BatchResult {
  std::vector<double> totals;         // n rows of outputs; NaN where a contact failed
  std::vector<Outcome> outcomes;      // of the last step that did not converge, if any
  std::vector<std::string> messages;  // why not converged or failed; empty where all is well
  std::vector<std::string> warnings;  // what is suspicious in a contact, a line each
  std::vector<bool> failed;
  // n rows of gradient_of.size() rows of the inputs' values, one after another, of an element's
  // input one for each element; NaN where a contact failed, did not converge or has none (it counts
  // as failed then, with its totals).
  std::vector<double> gradients;
  // The number of elements near a change in each contact with gradients, as their near_change().
  std::vector<std::int64_t> near_change;
  std::vector<std::shared_ptr<const KeptContact>> kept;  // n; null where a contact did not converge
};
// The values of the inputs in a row of gradients.
std::size_t gradient_row(const CaseSolver& solver, const BatchRequest& request);
// Side by side, as many at a time as `threads` of the solver's options, or as there are cores; on a
// GPU some. `progress`: contacts done so far, some times a second
// in the caller's thread; false cancels.
BatchResult solve_batch(CaseSolver& solver, const BatchRequest& request,
                        const std::function<bool(std::size_t)>& progress = {});

}  // namespace slipfield
