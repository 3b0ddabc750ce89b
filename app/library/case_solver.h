// SPDX-License-Identifier: Apache-2.0
// Solves a case step by step from a program; the C and the Python library are made of this.
//
// Prints nothing and writes only requested files; errors are exceptions. One thread at a time may
// use a solver; different solvers are independent.
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

// Thrown if the caller cancels a solution.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

struct CaseSolverOptions {
  BackendRequest backend;
  int threads = 0;               // of the CPU; 0: OpenMP's default
  std::filesystem::path folder;  // base of relative file names in a text; empty: the current folder
  std::vector<NamedArray> arrays;
  // Called in each iteration from the thread that solves; returning false cancels.
  std::function<bool(int step, const Progress&)> progress;
  // Called between the products of derivatives, and a wheel's placements; what it throws ends them.
  std::function<void()> between{};
  bool rewind = false;  // copies the state before each step and restores it on cancelling
};

// Returns the number of threads of OpenMP for the calling thread; wanted 0: OpenMP's default. In a
// child process forked by a thread that had several there is 1: the others stayed in the parent,
// and OpenMP would wait for them. No result depends on it.
int threads_to_use(int wanted);

class StepGradient;
class WheelsetGradient;
enum class ProfilePoints;  // wheel_gradient.h
struct KeptContact;        // batch_gradient.h

class CaseSolver {
 public:
  // Throw CaseError, InputError, Error.
  static std::unique_ptr<CaseSolver> from_file(const std::filesystem::path& path,
                                               CaseSolverOptions options);
  static std::unique_ptr<CaseSolver> from_text(const std::string& yaml, CaseSolverOptions options);

  // diagnostics: the faults found in the text so far.
  CaseSolver(std::unique_ptr<CaseText> text, CaseDiagnostics& diagnostics,
             CaseSolverOptions options);
  // Solves the case that `other` has now, from its first step.
  CaseSolver(const CaseSolver& other, CaseSolverOptions options);
  ~CaseSolver();
  CaseSolver(const CaseSolver&) = delete;
  CaseSolver& operator=(const CaseSolver&) = delete;

  // Changes values and replaces arrays like OpenCase, for the next step: all of them or none.
  void set(const std::vector<KeyValue>& changes, const std::vector<NamedArray>& arrays = {},
           OpenCase::Loads loads = OpenCase::Loads::over_steps);
  [[nodiscard]] std::string value(std::string_view key);
  // The values set so far, except arrays; take_back() undoes every set() since then.
  [[nodiscard]] OpenCase::Values values() const { return case_->values(); }
  void take_back(const OpenCase::Values& values);

  // Solves the next step. Non-convergence is in the report, not an exception. After an exception
  // the previous state is kept if `rewind` is set or the input was refused; otherwise only
  // restore() helps.
  const StepRecord& advance();
  [[nodiscard]] int steps_done() const { return session_ ? session_->steps_done() : 0; }
  [[nodiscard]] int steps_in_case() const { return case_->steps_in_case(); }
  [[nodiscard]] const ContactProblem& problem() const { return case_->problem(); }
  [[nodiscard]] const CaseFile& file() const { return case_->file(); }
  [[nodiscard]] bool is_wheel() const { return case_->is_wheel(); }
  // The next step: the case's loads with the values set over them.
  [[nodiscard]] const StepTask& next_step() { return step(steps_done() + 1); }
  [[nodiscard]] const StepTask& step(int number) { return case_->step(number); }

  // Results of the last step or of a part of it. Throw InputError before the first step and for a
  // part that the step does not have.
  [[nodiscard]] const StepRecord& last() const;
  // Named by quantity() of field_table.h and numbers_of() of result_parts.h.
  [[nodiscard]] std::vector<double> totals(const std::vector<std::string>& names,
                                           const ResultPart& part = {});
  // Throws InputError for a number of surfaces or of the interior that the case does not ask for.
  void require_asked(std::string_view name) const;
  [[nodiscard]] int contacts(StepSide side = StepSide::whole) const;
  [[nodiscard]] const Grid& grid(const ResultPart& part = {}) const;  // of one contact at any time
  [[nodiscard]] const StepReport& report(const ResultPart& part = {}) const;
  [[nodiscard]] std::vector<double> centres(const ResultPart& part = {}) const;
  [[nodiscard]] const ContactSolution& solution(const ResultPart& part = {});  // copied once
  // field: any name of field_names(); element_division as numbers. values: one per element.
  void field(std::string_view name, const ResultPart& part, std::span<double> values);
  // Writes the field into memory of the GPU.
  void field_to_cuda(std::string_view name, const ResultPart& part, std::span<double> values);
  // ContactSolver::device_values by the field's name; null on the CPU and for a wheel.
  [[nodiscard]] const double* cuda_values(std::string_view name) const;
  // Solves the wheelset for another task without advancing. grid: as in StepSession::try_out.
  [[nodiscard]] SolvedWheelset try_out(const WheelsetStep& step, std::size_t grid = 0);
  // Warnings of the run: of the case and of all steps so far.
  [[nodiscard]] std::vector<std::string> warnings() const;
  // The same as they are now; null before the first step.
  [[nodiscard]] std::shared_ptr<const RunWarnings> run_warnings() const { return run_warnings_; }
  // Warnings of the last step alone, its remark and doubts about the loads set for it; empty
  // before the first step.
  [[nodiscard]] std::vector<std::string> warnings_of_step() const;
  // The last step as a file or Python keeps it.
  [[nodiscard]] KeptStep kept_step(bool fields);
  // Doubts about what is set for the next step, keys and loads, as far as `other` differs.
  [[nodiscard]] std::vector<std::string> doubts_of_next(const CaseSolver& other);
  [[nodiscard]] std::string backend_name();
  // Selects where derivatives of a step are computed; a wheel's contacts are small and use the CPU.
  [[nodiscard]] StepSystemsMaker step_systems() const;
  [[nodiscard]] const std::function<void()>& between_products() const { return options_.between; }
  [[nodiscard]] std::string device_name();

  // restore() throws InputError for a state of another case or backend; loads may differ.
  [[nodiscard]] SavedSteps save() const;
  void restore(const SavedSteps& saved);

  // Writes the last step as a result file.
  void write(const std::filesystem::path& path, Overwrite overwrite);
  // For results that outlive the solver; shared by all steps of the same case.
  [[nodiscard]] std::shared_ptr<const ResultOrigin> origin();
  // Derivatives of the last step or of one contact of a wheel, made at the first call. Throws like
  // StepGradient.
  [[nodiscard]] StepGradient& gradient(const ResultPart& part = {});
  // Likewise of a wheel through its geometry, for this side and these profiles until the next call.
  [[nodiscard]] WheelsetGradient& wheel_gradient(StepSide side, ProfilePoints points);
  // Keeps the last `count` steps with all fields, from the next step on; restoring a state drops
  // them.
  void keep_steps(std::size_t count);
  [[nodiscard]] const std::deque<KeptStep>& kept_steps() const { return kept_; }
  // Records every step from now on in a result file, which end_recording() completes.
  void record(const std::filesystem::path& path, Overwrite overwrite);
  void end_recording();

  // The case as it is now, with all steps of its sequence and the values set in them.
  [[nodiscard]] std::string resolved();
  [[nodiscard]] const CaseSolverOptions& options() const { return options_; }

 private:
  void require_room(std::string_view name, const ResultPart& part, std::size_t count) const;
  [[nodiscard]] const SolvedPatch& patch(const ResultPart& part) const;
  void note_warnings();  // of the last step
  void start();          // makes the solver if there is none
  void start_again();    // with another problem, from its beginning
  void take_steps();
  void restore_session(const SavedSteps& saved);
  void require_names(const std::vector<std::string>& names, const StepRecord& step) const;
  void require_interior(std::string_view name) const;
  const std::vector<NamedNumbers>& interior();
  void forget_step();  // drops what was derived from the last step
  [[nodiscard]] std::shared_ptr<const CaseOfState> case_of_state() const;
  void report_progress(const Progress& progress) const;

  CaseSolverOptions options_;
  std::unique_ptr<OpenCase> case_;
  std::optional<SettledBackend> backend_;
  std::optional<StepSession> session_;
  std::optional<ContactSolution> solution_;
  std::vector<NamedNumbers> interior_;  // of each contact of the last step; empty: not computed
  std::vector<std::string> doubts_;     // about the loads set for the last step
  std::shared_ptr<const RunWarnings> run_warnings_;           // null before the first step
  std::shared_ptr<const ResultOrigin> origin_;                // null if the case has changed since
  mutable std::shared_ptr<const CaseOfState> case_of_state_;  // the same
  std::optional<Recording> recording_;
  std::unique_ptr<StepGradient> gradient_;  // of gradient_part_ in the last step
  ResultPart gradient_part_;
  std::unique_ptr<WheelsetGradient> wheel_gradient_;  // of the last step
  std::size_t keeps_ = 0;                             // the number of steps kept
  std::deque<KeptStep> kept_;
};

// n contacts of the current case, each solved from the beginning through all of its steps.
struct BatchRequest {
  std::size_t count = 0;                                     // n
  std::function<std::vector<KeyValue>(std::size_t)> inputs;  // of contact i; called by any thread
  std::function<std::vector<NamedArray>(std::size_t)>
      arrays;                        // tables that it replaces; may be empty
  std::vector<std::string> outputs;  // names of totals after the last step
  // Derivatives at the last step of each of these numbers to each of those inputs, by the names of
  // StepGradient or, for a wheel, of WheelsetGradient without points.
  std::vector<std::string> gradient_of;
  std::vector<std::string> gradient_to;
  // Keeps the input of BatchGradient for each contact: only for cases of one step without
  // wheel_rail.
  bool keep = false;
};
struct BatchResult {
  std::vector<double> totals;         // n rows of outputs; NaN where a contact failed
  std::vector<Outcome> outcomes;      // a contact that does not converge has that of its step
  std::vector<std::string> messages;  // why not converged or failed; empty if all is well
  std::vector<std::string> warnings;  // a line for each warning of a contact
  std::vector<bool> failed;
  std::vector<bool> refused;  // those that failed because of what was given for them
  // n rows, each with gradient_of.size() rows of the inputs' values one after another; a field
  // input has one value per element. NaN if a contact failed, did not converge or has no
  // derivatives (it then counts as failed, its totals are kept).
  std::vector<double> gradients;
  // The near_change() of each contact with gradients: the number of elements close to a change.
  std::vector<std::int64_t> near_change;
  std::vector<std::shared_ptr<const KeptContact>> kept;  // n; null if a contact did not converge
};
// The number of input values in a row of gradients.
std::size_t gradient_row(const CaseSolver& solver, const BatchRequest& request);
// Solves the contacts side by side, as many at a time as the options' `threads`, or one per core;
// several on a GPU. `progress`: called with the contacts done a few times a second from the calling
// thread; returning false cancels.
BatchResult solve_batch(CaseSolver& solver, const BatchRequest& request,
                        const std::function<bool(std::size_t)>& progress = {});

}  // namespace slipfield
