#include "app/run_case.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "app/console.h"
#include "app/interrupt.h"
#include "app/step_table.h"
#include "io/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// A finished step that `output: steps` leaves out; saved all the same where the run ends early.
struct HeldStep {
  StepRecord record;  // with its history
  ContactSolution solution;
};

class Run {
 public:
  Run(const CaseFile& case_file, const RunOptions& options, const RunObserver& observer)
      : case_file_(case_file),
        observer_(observer),
        step_count_(count_steps(case_file.problem.steps)) {
    PendingFile::check(options.output, options.overwrite);
    solver_ = make_contact_solver(options.backend, case_file.problem,
                                  [this](const Progress& progress) { report_progress(progress); });
    record_.backend = solver_->backend_name();
    record_.device = solver_->device_name();
    const ContactProblem& problem = case_file.problem;
    const ResultHeader header{problem.title, case_file.resolved_yaml, problem.grid,
                              problem.units, record_.backend,         record_.device};
    writer_.emplace(options.output, header, options.overwrite, case_file.output.fields);
    record_.results = writer_->path();
    observer_.on_start(record_);
  }

  RunRecord run() {
    try {
      advance_all();
    } catch (const Interrupted& interrupt) {
      if (record_.steps.empty()) throw;
      end_early(interrupt.what(), interrupt.exit_code());
      return std::move(record_);
    } catch (const Error& error) {
      if (record_.steps.empty()) throw;
      end_early(error.what(), static_cast<int>(error.exit_code()));
      return std::move(record_);
    } catch (const std::exception& error) {
      if (record_.steps.empty()) throw;
      end_early(fmt::format("internal error: {}", error.what()),
                static_cast<int>(ExitCode::failed));
      return std::move(record_);
    }
    writer_->finish(record_.outcome);
    return std::move(record_);
  }

 private:
  void advance_all() {
    for (const StepInput& input : case_file_.problem.steps) {
      for (int i = 0; i < input.repeat; ++i) advance(input);
    }
  }

  void advance(const StepInput& input) {
    throw_if_interrupted();
    running_number_ = static_cast<int>(record_.steps.size()) + 1;
    StepReport report = solver_->advance(input);
    clear_progress();
    keep(input, report);
    report.history = {};
    tell(report);
    record_.steps.push_back({running_number_, input, std::move(report)});
    observer_.on_step(record_.steps.back());
  }

  // Writes the step, or holds it where it is not asked for.
  void keep(const StepInput& input, const StepReport& report) {
    const int number = running_number_;
    ContactSolution solution = solver_->download();
    if (case_file_.output.wants_step(number, step_count_)) {
      writer_->write_step(number, input, report, solution);
      held_.reset();
    } else {
      held_ = HeldStep{{number, input, report}, std::move(solution)};
    }
  }

  void tell(const StepReport& report) {
    const int number = running_number_;
    if (report.outcome != Outcome::converged) {
      record_.outcome = RunOutcome::not_converged;
      log_warning(fmt::format("step {} did not converge: {}", number, report.message));
    }
    if (report.touches_edge) log_warning(fmt::format("step {}: {}", number, kEdgeWarning));
  }

  // Saves the finished steps. What then fails is told, and does not hide the first reason.
  void end_early(const std::string& reason, int exit_code) {
    record_.outcome = RunOutcome::incomplete;
    record_.error = reason;
    record_.error_code = exit_code;
    try {
      if (held_)
        writer_->write_step(held_->record.number, held_->record.input, held_->record.report,
                            held_->solution);
      writer_->finish(RunOutcome::incomplete);
      log_info(fmt::format("kept: {} in {}", counted(record_.steps.size(), "finished step"),
                           record_.results.string()));
    } catch (const Error& error) {
      record_.results.clear();
      log_error(fmt::format("the finished steps could not be saved: {}", error.what()));
    }
  }

  void report_progress(const Progress& progress) const {
    throw_if_interrupted();
    const std::string text =
        fmt::format("step {}/{}  {} iteration {}  change {:.2e}", running_number_, step_count_,
                    phase_name(progress.phase), progress.iteration, progress.change);
    log_debug(text);
    show_progress(text);
  }

  const CaseFile& case_file_;
  const RunObserver& observer_;
  int step_count_;
  int running_number_ = 0;
  std::unique_ptr<ContactSolver> solver_;
  std::optional<ResultWriter> writer_;
  std::optional<HeldStep> held_;
  RunRecord record_;
};

}  // namespace

RunRecord run_case(const CaseFile& case_file, const RunOptions& options,
                   const RunObserver& observer) {
  return Run(case_file, options, observer).run();
}

}  // namespace slipfield
