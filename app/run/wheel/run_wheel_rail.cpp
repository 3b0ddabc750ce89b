// SPDX-License-Identifier: Apache-2.0
#include "app/run/wheel/run_wheel_rail.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "app/console.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/report/step_table.h"
#include "app/report/wheel_warnings.h"
#include "app/run/checkpoint_pace.h"
#include "app/run/chosen_solver.h"
#include "app/run/interior.h"
#include "app/run/resume.h"
#include "app/run/step_session.h"
#include "app/run/time_left.h"
#include "app/run/wheel/wheel_resume.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/writer.h"
#include "solver/error.h"

namespace slipfield {
namespace {

class WheelRun {
 public:
  WheelRun(const CaseFile& case_file, const RunOptions& options, const WheelRunObserver& observer)
      : case_file_(case_file), observer_(observer), folder_(options.output, case_file.input_files) {
    folder_.hold();
    const auto finished = begin_or_resume_wheel(case_file, options, folder_);
    BackendRequest request{options.backend, options.gpu};
    if (finished)
      request.choice = backend_to_resume(finished->begun.header.backend, options.backend);
    const ContactProblem& problem = case_file.problem;
    backend_ = settle_backend(request, problem);
    log_backend(backend_, problem);
    record_.backend = backend_.name;
    record_.device = backend_.device;
    header_ = run_header(case_file, {}, record_.backend, record_.device);
    writer_.emplace(options.output, header_, output_rule(case_file, options),
                    case_file.output.fields, folder_.unfinished_result());
    record_.results = writer_->path();
    observer_.on_start(record_);
    if (finished) resume(*finished);
  }

  WheelRunRecord run() {
    StepSession session(backend_, case_file_, [this](const Progress&) {
      throw_if_interrupted();
      const int done = static_cast<int>(record_.steps.size());
      show_progress(
          fmt::format("step {}/{}{}", done + 1, step_count(),
                      time_left_text(pace_.begin(), done - resumed_, step_count() - done)));
    });
    try {
      while (static_cast<int>(record_.steps.size()) < step_count()) advance(session);
    } catch (const std::exception&) {
      if (record_.steps.empty()) throw;
      const Failure failure = failure_of(std::current_exception());
      record_.outcome = RunOutcome::incomplete;
      record_.error = failure.message;
      record_.error_code = failure.exit_code;
    }
    record_.expected = compare_with_expected(case_file_.expected, record_.steps,
                                             record_.outcome != RunOutcome::incomplete);
    if (record_.outcome != RunOutcome::incomplete) warn_of_expected(record_.expected);
    record_.warnings = logged_warnings();
    writer_->set_warnings(record_.warnings);
    writer_->finish(record_.outcome);
    if (record_.outcome != RunOutcome::incomplete)
      folder_.clear();
    else
      log_kept(record_, !parts_.empty(), continues_after(), record_.steps.size());
    return std::move(record_);
  }

 private:
  [[nodiscard]] int step_count() const {
    return static_cast<int>(case_file_.wheel_rail->steps.size());
  }

  // As CheckpointFolder::continues_after(), of the parts of a wheel.
  [[nodiscard]] std::optional<int> continues_after() const {
    const auto there = folder_.numbered_parts();
    int last = 0;
    for (const int part : parts_) {
      if (!there.contains(part)) break;
      last = part;
    }
    if (!there.empty() && there.rbegin()->first > last) return std::nullopt;
    return last;
  }

  void resume(const FinishedWheelSteps& finished) {
    const ResultInfo& begun = finished.begun;
    warn_of_other_bits(fmt::format("{} ({})", begun.program_version, begun.git_commit),
                       begun.header.device, record_.device);
    for (const FinishedWheelSteps::Step& step : finished.steps) {
      if (case_file_.output.wants_step(step.record.number, step_count()))
        writer_->import_step(step.part, step.record);
      take(step.record);
    }
    for (const auto& [number, part] : folder_.numbered_parts()) parts_.push_back(number);
    resumed_ = static_cast<int>(record_.steps.size());
    log_info(fmt::format("resumed after step {} of {}", resumed_, step_count()));
  }

  void advance(StepSession& session) {
    throw_if_interrupted();
    const std::size_t i = record_.steps.size();
    const int number = static_cast<int>(i) + 1;
    const auto wheelset = session.advance(case_file_.wheel_rail->steps[i]).wheelset;
    clear_progress();
    const std::vector<std::string> warnings = session.warnings();
    if (case_file_.output.wants_step(number, step_count()))
      writer_->write_step(number, wheelset->solved, warnings, interior_maker());
    WheelRecord record = wheel_record(number, wheelset->solved);
    record.warnings = warnings;
    take(std::move(record));
    unsaved_.push_back({number, wheelset, warnings});
    if (number < step_count()) write_checkpoint();
  }

  [[nodiscard]] InteriorMaker interior_maker() const {
    if (!case_file_.interior) return {};
    return [this](const SolvedPatch& patch) {
      ContactProblem problem = case_file_.problem;
      problem.grid = patch.patch.grid;
      return interior_of(case_file_, problem, patch.solution, interior_planes_on(backend_));
    };
  }

  void take(WheelRecord record) {
    if (record.outcome != Outcome::converged) {
      record_.outcome = RunOutcome::not_converged;
      log_warning(fmt::format("step {} did not converge: {}", record.number, record.message));
    }
    for (const std::string& warning : record.warnings)
      log_warning(wheel_warning_text(record.number, warning));
    record_.steps.push_back(std::move(record));
    observer_.on_step(record_.steps.back());
  }

  // Writes the steps since the last checkpoint to a file that is there whole or not at all.
  void write_checkpoint() {
    if (!pace_.due()) return;
    pace_.time([this] {
      try {
        ResultWriter part(folder_.numbered_part(unsaved_.back().number), header_,
                          {Overwrite::allow, case_file_.input_files}, case_file_.output.fields);
        for (Unsaved& step : unsaved_)
          part.write_step(step.number, step.wheelset->solved, step.warnings, interior_maker());
        part.finish(RunOutcome::incomplete);
        parts_.push_back(unsaved_.back().number);
        unsaved_.clear();
      } catch (const Error& error) {
        log_warning(
            fmt::format("no checkpoint could be written, the run continues: {}", error.what()));
      }
    });
  }

  const CaseFile& case_file_;
  const WheelRunObserver& observer_;
  CheckpointPace pace_;
  int resumed_ = 0;          // steps that an earlier run has finished
  CheckpointFolder folder_;  // given back after the result is moved out of it or removed
  SettledBackend backend_;
  ResultHeader header_;
  std::optional<ResultWriter> writer_;
  WheelRunRecord record_;
  std::vector<int> parts_;  // of the checkpoint, by their last steps
  struct Unsaved {
    int number;
    std::shared_ptr<WheelsetOfStep> wheelset;
    std::vector<std::string> warnings;
  };
  std::vector<Unsaved> unsaved_;  // by the checkpoint
};

}  // namespace

WheelRunRecord run_wheel_rail(const CaseFile& case_file, const RunOptions& options,
                              const WheelRunObserver& observer) {
  check_output(options.output, FileKind::result, output_rule(case_file, options));
  if (options.resume) {
    if (std::optional<WheelFile> complete = find_complete_wheel(case_file, options.output)) {
      tell_complete(case_file, options.output);
      WheelRunRecord record;
      take_complete(options.output, complete->info, record);
      record.steps = std::move(complete->steps);
      record.expected = compare_with_expected(case_file.expected, record.steps, true);
      warn_of_expected(record.expected);
      return record;
    }
  }
  return WheelRun(case_file, options, observer).run();
}

PointResult solve_wheel_point(const CaseFile& file, const SettledBackend& backend,
                              const std::function<void()>& throw_if_ended) {
  StepSession session(backend, file, [&](const Progress&) { throw_if_ended(); });
  PointResult result;
  std::vector<WheelRecord> records;
  const std::vector<WheelsetStep>& steps = file.wheel_rail->steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    throw_if_ended();
    const auto wheelset = session.advance(steps[i]).wheelset;
    const SolvedWheelset& wheel = wheelset->solved;
    records.push_back(wheel_record(static_cast<int>(i) + 1, wheel));
    std::vector<std::string> warnings = session.warnings();
    if (wheel.outcome == Outcome::converged && result.outcome == PointOutcome::converged)
      for (const SolvedWheel& one : wheel.wheels) {
        if (!result.message.empty() || one.warning.empty()) continue;
        result.message = fmt::format("step {}: {}", i + 1, one.warning);
        std::erase(warnings, one.warning);  // it is the point's message
      }
    add_warnings(result, warnings);
    result.touches_edge = result.touches_edge || records.back().touches_edge;
    if (wheel.outcome == Outcome::converged) continue;
    if (result.outcome == PointOutcome::converged && !result.message.empty()) {
      add_warnings(result, {result.message});
      result.message.clear();
    }
    result.outcome = PointOutcome::not_converged;
    if (result.message.empty())
      result.message = fmt::format("step {} did not converge: {}", i + 1, wheel.message);
  }
  result.last_step = records.back().number;
  result.rows = records.back().rows();
  result.expected = compare_with_expected(file.expected, records, true);
  return result;
}

std::vector<ExpectationResult> compare_with_expected(const std::vector<Expectation>& expected,
                                                     const std::vector<WheelRecord>& steps,
                                                     bool complete) {
  return compare_with_expected(expected, steps, complete,
                               [](const WheelRecord& record, const Expectation& expectation) {
                                 return record.get(expectation.quantity, expectation.contact);
                               });
}

}  // namespace slipfield
