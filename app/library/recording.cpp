// SPDX-License-Identifier: Apache-2.0
#include "app/library/recording.h"

#include <utility>

#include "app/report/step_warnings.h"
#include "app/report/wheel_warnings.h"
#include "app/run/interior.h"
#include "app/run/run_case.h"
#include "io/case/change/open_case.h"
#include "io/hdf5/one_thread.h"
#include "solver/error.h"

namespace slipfield {

Recording::Recording(const ResultOrigin& origin, std::string case_yaml,
                     const std::filesystem::path& path, Overwrite overwrite)
    : origin_(origin), warnings_(origin.file.warnings) {
  const CaseFile& file = origin_.file;
  const OutputRule allowed{overwrite, file.input_files};
  check_output(path, FileKind::result, allowed);
  ResultHeader header = run_header(file, file.wheel_rail ? Grid{} : file.problem.grid,
                                   origin_.backend, origin_.device);
  header.case_yaml = std::move(case_yaml);
  const hdf5::OneThread alone;
  writer_.emplace(path, header, allowed, file.output.fields);
}

Recording::~Recording() {
  const hdf5::OneThread alone;
  writer_.reset();
}

void Recording::write(StepRecord step, const ContactSolution& solution,
                      const std::vector<std::string>& warnings,
                      const std::vector<std::string>& doubts) {
  const StepReport& report = step.report;
  add_unsaid(doubts, step.number, warnings_);
  if (report.outcome != Outcome::converged) outcome_ = RunOutcome::not_converged;
  const hdf5::OneThread alone;
  write_with_interior(*writer_, origin_.file, origin_.interior, step, solution, warnings);
  if (step.wheelset) {
    if (std::string message = message_of_step(step.number, report, told_); !message.empty())
      warnings_.push_back(std::move(message));
    for (std::string& line : lines_of_wheel(step.number, unsaid(warnings, warnings_, step.number)))
      warnings_.push_back(std::move(line));
    doubts_.add(step.number, warnings);
  } else {
    const ContactProblem& problem = origin_.file.problem;
    for (std::string& line : lines_of_step(problem, step.number, step.input, report, told_))
      warnings_.push_back(std::move(line));
    doubts_.add(step.number, problem, step.input, report);
    for (const std::string& warning : warnings)
      if (warning != report.message) writer_->warn(step.number, warning);
  }
  ++steps_written_;
}

void Recording::end() {
  const hdf5::OneThread alone;
  for (std::string& doubt : doubts_.of_steps(static_cast<std::size_t>(steps_written_)))
    warnings_.push_back(std::move(doubt));
  writer_->set_warnings(warnings_);
  writer_->finish(outcome_);
}

void write_result(const ResultOrigin& origin, const std::filesystem::path& path,
                  Overwrite overwrite, std::span<const KeptStep> steps) {
  if (steps.empty()) throw InputError("no step was given to write; accepted: at least one");
  std::vector<StepTask> tasks;
  for (const KeptStep& step : steps) {
    if (step.record.wheelset) {
      WheelsetStep task = step.record.wheelset->task;
      task.repeat = 1;  // repeats are steps of their own
      tasks.emplace_back(std::move(task));
      continue;
    }
    StepInput input = step.record.input;
    input.repeat = 1;
    tasks.emplace_back(std::move(input));
  }
  Recording recording(origin, resolved_case(origin.file, tasks), path, overwrite);
  for (const KeptStep& step : steps)
    recording.write(step.record, step.solution, step.warnings, step.doubts);
  recording.end();
}

}  // namespace slipfield
